"""Draws image.f32 and slopes.f32 into library_filter.png, and compares the slopes with SciPy."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.ndimage import correlate1d, gaussian_filter

image, slopes = (np.fromfile(name, np.float32).reshape(360, 480) for name in ("image.f32", "slopes.f32"))
expected = correlate1d(gaussian_filter(image.astype(np.float64), 2.5, mode="mirror"), [-0.5, 0, 0.5], mode="mirror")
worst = np.abs(slopes - expected).max()
allowed = 60 * np.finfo(np.float32).eps * np.abs(image).max()  # 21 taps twice, and 3
print(f"library_filter: largest difference to SciPy {worst:.1e}, allowed {allowed:.1e}")
if not worst <= allowed:
    sys.exit(1)

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
axes[0].imshow(image, cmap="gray")
axes[0].set_title("the caller's array")
axes[1].imshow(slopes, cmap="RdBu", vmin=-0.2, vmax=0.2)
axes[1].set_title("smoothed, slope along x")
for axis in axes:
    axis.set_axis_off()
figure.savefig("library_filter.png", dpi=70)
