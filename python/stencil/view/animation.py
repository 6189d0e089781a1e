"""Animations: the planes of a stack, for example the steps of a simulation, as the frames of a GIF."""

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from . import pictures  # this import also selects the backend of matplotlib

MOST_FRAMES = 200
MILLISECONDS = 100  # time for which each frame is shown


class Animation:
    """An animation of planes of a stack, which are evenly spread along the first axis and have one colour scale. If the
    input has as many planes as the output, the input is drawn beside the output. Planes are read one by one, so that the
    memory that is needed does not depend on the length of the stack."""

    def __init__(self, result):
        data = self.data = result.after
        self.path = result.path
        self.stacks = pictures.stacks_of(result)
        self.indices = pictures.spread(data.shape[0], MOST_FRAMES)
        samples = [pictures.plane_at(one, index) for _, one in self.stacks for index in pictures.spread(data.shape[0], 12)]
        low, high = pictures.limits(*samples)
        size = (4.8 * len(self.stacks) + 1, 3.6 * pictures.height_of(data) + 1.2)
        self.figure, panels = plt.subplots(1, len(self.stacks), figsize=size, squeeze=False, layout="constrained")
        self.images = []
        for panel, (name, one) in zip(panels[0], self.stacks):
            self.images.append(pictures.show_plane(panel, one, pictures.plane_at(one, 0), "viridis", low, high))
            panel.set_title(name)
        self.figure.colorbar(self.images[-1], ax=panels, label=data.label, shrink=0.8, extend="both")
        self.show(0)

    def show(self, index):
        for image, (_, one) in zip(self.images, self.stacks):
            image.set_data(pictures.plane_at(one, index))
        self.figure.suptitle(f"{self.path}:{self.data.path}\n{self.data.axes[0].words(index)}", fontsize=10)

    def frames(self):
        """Yields each frame as a picture with a separate palette of 256 colours."""
        for index in self.indices:
            self.show(index)
            self.figure.canvas.draw()
            self.figure.set_layout_engine("none")  # the panels stay where the first frame has put them
            pixels = np.asarray(self.figure.canvas.buffer_rgba())[..., :3]
            yield Image.fromarray(np.ascontiguousarray(pixels)).quantize(256)

    def save(self, file, mark):
        """Writes a GIF that repeats to a path or a file object. The comment of the GIF is the text `mark`."""
        frames = self.frames()
        next(frames).save(file, format="GIF", save_all=True, append_images=frames, duration=MILLISECONDS, loop=0, comment=mark.encode())
