"""side_by_side.py OUT.png IN.png...: combines pictures into one picture, one below the other."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

out, *names = sys.argv[1:]
pictures = [plt.imread(name) for name in names]
heights = [picture.shape[0] / picture.shape[1] for picture in pictures]
figure, places = plt.subplots(
    len(pictures), 1, figsize=(8, 8 * sum(heights)), gridspec_kw={"height_ratios": heights}
)
for place, picture in zip(places, pictures):
    place.imshow(picture)
    place.axis("off")
figure.subplots_adjust(0, 0, 1, 1, 0, 0)
figure.savefig(out, dpi=110)
