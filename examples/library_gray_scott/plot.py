"""plot.py [STEPS]: draws v.f64 into library_gray_scott.png. Compares it with NumPy only for at most 300 steps, because
rounding errors grow exponentially."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
v = np.fromfile("v.f64").reshape(192, 256)
if steps <= 300:
    y, x = np.mgrid[:192, :256]
    seed = (y % 96 > 40) & (y % 96 < 56) & (x % 128 > 50) & (x % 128 < 70) & ((y // 96 + x // 128) % 2 == 1)
    a, b = np.where(seed, 0.5, 1.0), np.where(seed, 0.25, 0.0)
    lap = lambda w: sum(np.roll(w, shift, axis) for axis in (0, 1) for shift in (1, -1)) - 4 * w
    for _ in range(steps):
        reaction = a * b * b
        a, b = a + 0.16 * lap(a) - reaction + 0.037 * (1 - a), b + 0.08 * lap(b) + reaction - (0.037 + 0.06) * b
    worst = np.abs(v - b).max()
    print(f"library_gray_scott: largest difference to NumPy {worst:.1e}, allowed 1e-11")
    if not worst <= 1e-11:
        sys.exit(1)

figure, axis = plt.subplots(figsize=(5.2, 4), constrained_layout=True)
axis.imshow(v, cmap="viridis")
axis.set_title(f"v after {steps} steps")
axis.set_axis_off()
figure.savefig("library_gray_scott.png", dpi=70)
