"""python -m stencil view: figures of results, plans, reports and traces, and pages in a browser."""

import base64
import contextlib
import importlib.util
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import numpy as np
import scipy.signal
import stencil

if any(importlib.util.find_spec(name) is None for name in ("h5py", "matplotlib")):
    print("SKIPPED: no h5py or no matplotlib (scripts/install_packages --python)")
    sys.exit(77)
import h5py  # noqa: E402
import PIL.Image  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402
from stencil.view import animation, command, files, filters, pictures, runs  # noqa: E402

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
RATE = 4096
# Runs in the page after the page's own script: zooms with the wheel, moves every chart, and writes the results into the title.
ZOOMS = """<script>
const errors = window.errors;
for (const chart of charts) {
  const box = chart.canvas.getBoundingClientRect(), whole = chart.to - chart.from;
  const at = {clientX: box.left + box.width / 2, clientY: box.top + 50, bubbles: true, cancelable: true};
  for (let i = 0; i < 5; i++) chart.canvas.dispatchEvent(new WheelEvent("wheel", {...at, deltaY: -1}));
  const part = (chart.to - chart.from) / whole;
  if (!(part > 0.3 && part < 0.4)) errors.push(`${chart.chart.title}: a part of ${part} is shown after five turns of the wheel`);
  const pixels = chart.canvas.getContext("2d").getImageData(0, 0, chart.canvas.width, chart.canvas.height).data;
  if (!pixels.some(v => v)) errors.push(chart.chart.title + ": empty");
  chart.canvas.dispatchEvent(new MouseEvent("dblclick", at));
  if (chart.to - chart.from !== whole) errors.push(chart.chart.title + ": a double click does not show all");
}
for (const [value, span, words] of [[1126259465, 32, "1126259465"], [1126259462.42, 0.5, "1126259462.42"], [250000, 1e6, "2.50e+5"], [0.25, 2, "0.25"]])
  if (label(value, span) !== words) errors.push(`${value} is written as ${label(value, span)}`);
const frame = document.querySelector("#picture");
if (frame) {
  const box = frame.getBoundingClientRect();
  frame.dispatchEvent(new WheelEvent("wheel", {clientX: box.left + 50, clientY: box.top + 50, deltaY: -1, bubbles: true, cancelable: true}));
  if (!/scale\\(1\\.25\\)/.test(frame.firstChild.style.transform)) errors.push("the picture is not zoomed");
}
document.title = JSON.stringify({charts: charts.length, pictures: frame ? 1 : 0, errors});
</script>"""


class Views(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(plt.close, "all")
        self.folder = pathlib.Path(folder.name)
        rng = np.random.default_rng(5)
        time = np.arange(20000) / RATE
        self.signal = 10 * np.sin(2 * np.pi * 5 * time) + np.sin(2 * np.pi * 100 * time) + 0.1 * rng.normal(size=time.size)
        self.grid = rng.normal(size=(60, 80))
        self.grid[10:15, 20:30] = np.nan
        with h5py.File(self.folder / "in.h5", "w") as file:
            file["strain"] = self.signal
            file["strain"].attrs.update(Xspacing=1 / RATE, units="m")
            file["grid"] = self.grid
            file["grid"].attrs.update(units="K", long_name="temperature")
            file["stack"] = rng.normal(size=(5, 20, 30))
            file["flat"] = np.zeros(1000)
            for i, (name, values, units) in enumerate((("lat", np.linspace(-30, 30, 60), "degrees_north"), ("lon", np.arange(80.0), "degrees_east"))):
                file[name] = values
                file[name].attrs["units"] = units
                file[name].make_scale(name)
                file["grid"].dims[i].attach_scale(file[name])
            file["hour"] = 24.0 * np.arange(5)
            file["hour"].attrs["units"] = "hours since 2024-02-27 00:00"
            file["hour"].make_scale("hour")
            file["stack"].dims[0].attach_scale(file["hour"])
        self.reports = {}

    def made(self, dataset, name="out.h5", **stage):
        """Returns the path of an output that stencil_run writes, together with a report in the folder `reports`."""
        config = {"input": {"file": self.folder / "in.h5", "dataset": dataset}, "output": {"file": self.folder / name}, "stencil": stage}
        if dataset == "/grid":
            config["missing"] = {"policy": "renormalize"}
        self.reports[name] = stencil.run(config)
        return str(self.folder / name)

    def band(self, **more):
        return self.made("/strain", mask="bandpass", taps=401, cutoff=[35, 350], **more)

    def view(self, *words, status=0):
        """Runs the command `view`, and returns the text that it prints."""
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            self.assertEqual(command.main(["view", *words]), status, errors.getvalue())
        return (out if status == 0 else errors).getvalue().strip()

    def test_a_signal_with_its_spectrum_and_responses(self):
        figure = pictures.signal(files.Result(self.band()))
        over, density, gain, impulse = figure.axes
        self.assertEqual((over.get_xlabel(), over.get_ylabel()), ("time [s]", "strain [m]"))
        self.assertEqual((density.get_xlabel(), density.get_ylabel()), ("frequency [Hz]", "m²/Hz"))
        self.assertEqual([text.get_text() for text in over.get_legend().get_texts()], ["input", "output"])
        peaks = [line.get_xdata()[np.argmax(line.get_ydata())] for line in density.lines]
        self.assertLess(abs(peaks[0] - 5), 1.5)
        self.assertLess(abs(peaks[1] - 100), 1.5)
        taps = scipy.signal.firwin(401, [35, 350], fs=RATE, pass_zero=False)
        frequency, decibels = gain.lines[0].get_data()
        expected = 20 * np.log10(np.maximum(np.abs(scipy.signal.freqz(taps, worN=frequency, fs=RATE)[1]), 1e-9))
        np.testing.assert_allclose(decibels, expected, atol=1e-3)
        np.testing.assert_allclose(impulse.lines[0].get_ydata(), taps, atol=1e-12)
        np.testing.assert_allclose(impulse.lines[0].get_xdata()[[0, -1]], [-200 / RATE, 200 / RATE])

    def test_frequencies_of_coordinates_have_their_unit(self):
        with h5py.File(self.folder / "in.h5", "a") as file:
            for name, values, units in (("t", np.arange(20000) / RATE, "s"), ("depth", 0.5 * np.arange(20000), "m")):
                file[name] = values
                file[name].attrs["units"] = units
                file[name].make_scale(name)
                file[f"along_{name}"] = self.signal
                file[f"along_{name}"].dims[0].attach_scale(file[name])
        for dataset, unit, peak in (("/along_t", "Hz", 5), ("/along_depth", "cycles per m", 5 * 2 / RATE)):
            result = files.Result(self.made(dataset, dataset[1:] + ".h5", mask="box", size=3))
            density = pictures.signal(result).axes[1]
            self.assertEqual(density.get_xlabel(), f"frequency [{unit}]")
            frequency, power = density.lines[0].get_data()
            self.assertLess(abs(frequency[np.argmax(power)] / peak - 1), 0.3)

    def test_a_density_holds_the_power_of_the_signal(self):
        values = np.random.default_rng(2).normal(size=1 << 16)
        frequency, density = files.spectrum(lambda a, b: values[a:b], values.size, 1000.0)
        self.assertLess(abs(density.sum() * (frequency[1] - frequency[0]) - values.var()), 0.05)

    def test_a_decimated_signal_ends_where_its_input_ends(self):
        result = files.Result(self.band(stride=4))
        self.assertEqual(result.stride, 4)
        self.assertAlmostEqual(float(result.after.axes[0].at(4999)), 19996 / RATE)

    def test_pyramids_have_the_extremes_of_every_part(self):
        values = np.random.default_rng(3).normal(size=10007)
        values[500:900] = np.nan
        for bins in (1, 7, 100, 10007, 20000):
            edges, low, high, is_whole = files.pyramid(lambda a, b: values[a:b], values.size, bins)
            self.assertTrue(is_whole)
            for i in range(len(low)):
                part = values[edges[i]:edges[i + 1]]
                part = part[~np.isnan(part)]
                self.assertEqual((low[i], high[i]) if part.size else (np.isnan(low[i]), True), (part.min(), part.max()) if part.size else (True, True))
        read = []
        with unittest.mock.patch.object(files, "MOST_READ", 1000), unittest.mock.patch.object(files, "PIECE", 16):
            _, low, high, is_whole = files.pyramid(lambda a, b: (read.append(b - a), values[a:b])[1], values.size, 20)
        self.assertFalse(is_whole)
        self.assertEqual(max(read), 16)
        self.assertEqual(low[10], values[5003:5019].min())

    def test_a_grid_before_and_after_with_difference_and_missing_points(self):
        out = self.made("/grid", mask="gaussian", sigma=2)
        figure = pictures.grid(files.Result(out))
        panels = [panel for panel in figure.axes if panel.images]
        self.assertEqual(len(panels), 3)
        with h5py.File(out) as file:
            after = file["grid"][:]
        np.testing.assert_array_equal(panels[0].images[0].get_array().filled(np.nan), self.grid)
        np.testing.assert_array_equal(panels[1].images[0].get_array().filled(np.nan), after)
        np.testing.assert_allclose(panels[2].images[0].get_array().filled(np.nan), after - self.grid)
        self.assertEqual((panels[0].get_xlabel(), panels[0].get_ylabel()), ("lon [degrees_east]", "lat [degrees_north]"))
        self.assertIn("1.04 % missing", panels[0].get_title())
        self.assertEqual(panels[0].images[0].get_clim(), panels[1].images[0].get_clim())
        low, high = panels[2].images[0].get_clim()
        self.assertEqual(low, -high)
        self.assertEqual(panels[0].images[0].origin, "lower")
        self.assertIn("temperature [K]", [panel.get_ylabel() for panel in figure.axes])

    def test_a_stack_as_a_sheet_with_times(self):
        figure = pictures.sheet(files.Result(self.made("/stack", mask="gaussian", sigma=1)))
        titles = [panel.get_title() for panel in figure.axes if panel.images]
        days = [f"hour = 2024-{day} 00:00:00" for day in ("02-27", "02-28", "02-29", "03-01", "03-02")]
        self.assertEqual(titles, [f"{name}, {day}" for name in ("input", "output") for day in days])
        result = files.Result(self.made("/stack", "reduced.h5", mask="box", size=3, axis=0, stride=2))
        self.assertEqual([panel.get_title() for panel in pictures.sheet(result).axes if panel.images], days[::2])

    def test_complex_numbers_by_their_absolute_values(self):
        with h5py.File(self.folder / "in.h5", "a") as file:
            file["waves"] = np.exp(1j * self.grid) * 3
        result = files.Result(self.made("/waves", mask="box", size=1))
        panel = pictures.grid(result).axes[1]
        np.testing.assert_allclose(panel.images[0].get_array().filled(np.nan), np.where(np.isnan(self.grid), np.nan, 3))
        self.assertEqual(result.after.label, "|waves|")
        with h5py.File(self.folder / "waves.h5", "w") as file:
            file["only"] = np.exp(1j * self.signal[:100])
        self.assertEqual(files.Result(str(self.folder / "waves.h5")).after.path, "/only")

    def test_no_response_of_masks_in_the_unit_of_the_coordinates(self):
        for stage in ({"mask": "savgol", "size": 7, "polyorder": 2, "deriv": 1, "delta": "coordinates"},
                      {"mask": "gaussian", "sigma": "0.01 s"}):
            result = files.Result(self.made("/strain", f"{stage['mask']}-{len(stage)}.h5", **stage))
            self.assertEqual(filters.responses(result), [])
            self.assertEqual(len(pictures.signal(result).axes), 2)

    def test_numbers_of_16_bits(self):
        for kind, relative in (("float16", 2**-11), ("bfloat16", 2**-8)):
            for dataset, expected in (("/strain", self.signal * 2000), ("/grid", self.grid * 10000)):
                out = str(self.folder / f"{kind}.h5")
                with h5py.File(self.folder / "in.h5", "a") as file:
                    file[dataset][...] = expected
                stencil.run({"input": {"file": self.folder / "in.h5", "dataset": dataset}, "stencil": {"mask": "box", "size": 1},
                             "output": {"file": out, "dtype": kind, "overwrite": "true"}})
                data = files.Result(out).after
                values = data.read(*[slice(None)] * len(data.shape))
                self.assertEqual(values.dtype, np.float64)
                np.testing.assert_allclose(values, expected, rtol=relative)
                figure = pictures.signal(files.Result(out)) if dataset == "/strain" else pictures.grid(files.Result(out))
                for line in (line for axes in figure.axes for line in axes.lines):
                    self.assertTrue(np.isfinite(line.get_ydata()).all())

    def test_a_stack_as_an_animation(self):
        out = self.made("/stack", mask="gaussian", sigma=1)
        path = self.view(out, "--as", "animation")
        self.assertEqual(path, out.replace(".h5", ".gif"))
        with PIL.Image.open(path) as moving:
            self.assertEqual((moving.n_frames, moving.info["duration"], moving.info["loop"]), (5, 100, 0))
        self.view(out, "--as", "animation")  # an animation of an earlier call is replaced
        drawn = animation.Animation(files.Result(out))
        with h5py.File(out) as file:
            after = file["stack"][:]
        with h5py.File(self.folder / "in.h5") as file:
            before = file["stack"][:]
        for index in (0, 3):
            drawn.show(index)
            for image, expected in zip(drawn.images, (before, after), strict=True):
                np.testing.assert_array_equal(image.get_array(), expected[index])
            self.assertIn(f"hour = 2024-{('02-27', '02-28', '02-29', '03-01')[index]}", drawn.figure._suptitle.get_text())
        self.assertIn(".gif", self.view(out, "--as", "animation", "-o", str(self.folder / "moving.png"), status=2))
        self.assertIn("too few", self.view(self.made("/grid", "grid.h5", mask="box", size=3), "--as", "animation", status=2))

    def test_files_are_written_by_kind(self):
        band, grid = self.band(), self.made("/grid", "grid.h5", mask="gaussian", sigma=2)
        stack = self.made("/stack", "stack.h5", mask="box", size=3, axis=0)
        for words in ((band,), (grid,), (grid, "--as", "signal"), (stack,), (stack, "--as", "grid"), (str(self.folder / "in.h5"), "--dataset", "/flat")):
            path = self.view(*words, "-o", str(self.folder / "picture.png"))
            self.assertEqual(pathlib.Path(path).read_bytes()[:4], b"\x89PNG")
        self.assertEqual(self.view(band), band.replace(".h5", ".png"))

    def test_only_own_pictures_are_replaced_unasked(self):
        band = self.band()
        for suffix, words in ((".png", (band,)), (".html", (band, "--html"))):
            picture = pathlib.Path(band.replace(".h5", suffix))
            self.view(*words)
            self.view(*words)
            picture.write_text("mine")
            self.assertIn("was not drawn by this command", self.view(*words, status=2))
            self.assertEqual(picture.read_text(), "mine")
            self.view(*words, "-o", str(picture))
            self.assertNotIn(b"mine", picture.read_bytes()[:4])

    def test_errors_are_one_line(self):
        (self.folder / "text.h5").write_text("text")
        (self.folder / "list.json").write_text("{}")
        for words in (("nowhere.h5",), (str(self.folder / "text.h5"),), (str(self.folder / "list.json"),), ("--plan", "nowhere.ini"),
                      (str(self.folder / "in.h5"), "--dataset", "/other"), (str(self.folder / "in.h5"), "--dataset", "/flat", "--as", "grid")):
            line = self.view(*words, status=2)
            self.assertTrue(line.startswith("stencil view: ") and "\n" not in line, line)

    def test_the_input_may_be_gone(self):
        band = self.band()
        (self.folder / "in.h5").unlink()
        result = files.Result(band)
        self.assertIsNone(result.before)
        self.assertIn("is not here", pictures.signal(result)._suptitle.get_text())

    def test_plans_and_reports(self):
        config = {"input": {"file": self.folder / "in.h5", "dataset": "/grid"}, "output": {"file": self.folder / "out.h5"},
                  "stencil": {"mask": "gaussian", "sigma": 2}, "run": {"decomposition": "2x1"}}
        path = stencil.program.written(config, self.folder)
        figure = runs.plan(stencil.check(path, ranks=2), "plan")
        words = [text.get_text() for text in figure.axes[0].texts]
        self.assertEqual(words, ["rank 0", "rank 1"])
        heights = [patch.get_height() for patch in figure.axes[0].patches]
        self.assertEqual(heights, [30, 30, 46])  # the block of the last rank has 8 ghost points on either side
        self.view("--plan", path, "--ranks", "2", "-o", str(self.folder / "plan.png"))
        self.band()
        report = self.reports["out.h5"]
        (self.folder / "report.json").write_text(json.dumps(report))
        self.view(str(self.folder / "report.json"))
        shown = [bar.get_width() for bar in runs.report(report, "report").axes[0].patches]
        np.testing.assert_allclose(shown[:6], [report["seconds"][part] for part in ("read", "memory", "exchange", "compute", "write", "commit")])

    def test_a_report_shows_each_rank(self):
        config = {"input": {"file": self.folder / "in.h5", "dataset": "/grid"}, "output": {"file": self.folder / "out.h5"},
                  "stencil": {"mask": "box", "size": 3}}
        report = stencil.run(config, ranks=3)
        panel = runs.report(report, "report").axes[0]
        self.assertEqual([label.get_text() for label in panel.get_yticklabels()], ["rank 0", "rank 1", "rank 2"])
        by_rank = report["seconds_by_rank"]
        expected = [by_rank[part][rank] for rank in range(3) for part in by_rank]
        np.testing.assert_allclose([bar.get_width() for i, bar in enumerate(panel.patches) if i % 7 < 6], expected)

    def test_a_trace(self):
        config = {"input": {"file": self.folder / "in.h5", "dataset": "/grid"}, "output": {"file": self.folder / "out.h5"},
                  "stencil": {"mask": "box", "size": 3}}
        path = stencil.program.written(config, self.folder)
        trace = self.folder / "trace.json"
        subprocess.run([*stencil.program.command_of(2, None), path, "--trace", trace], check=True, capture_output=True)
        events = json.loads(trace.read_text())["traceEvents"]
        panel = runs.trace(events, "trace").axes[0]
        self.assertEqual([label.get_text() for label in panel.get_yticklabels()], ["rank 0: main thread", "rank 1: main thread"])
        self.assertEqual(len(panel.patches), sum(event["ph"] == "X" for event in events))
        self.view(str(trace))

    def test_windows_of_a_plan_and_their_stations(self):
        with h5py.File(self.folder / "in.h5", "a") as file:
            file["long"] = np.zeros(1 << 22, "f4")
        config = {"input": {"file": self.folder / "in.h5", "dataset": "/long"}, "output": {"file": self.folder / "out.h5"},
                  "stencil": {"mask": "gaussian", "sigma": 2}, "run": {"memory": "32MiB"}}
        windows = stencil.check(config)["windows"]
        lines = runs.plan(stencil.check(config), "plan").axes[0].lines[:-1]
        self.assertEqual([line.get_xdata()[0] for line in lines], list(range(windows["outputs"], 1 << 22, windows["outputs"])))
        report = stencil.run(config)
        panel = runs.report(report, "report").axes[1]
        self.assertEqual([label.get_text() for label in panel.get_yticklabels()], ["read", "compute", "write", "verify"])
        self.assertAlmostEqual(panel.patches[0].get_width(), report["windows"]["stations"]["read"]["busy_seconds"])

    def test_responses_of_every_kind_of_mask(self):
        with h5py.File(self.folder / "taps.h5", "w") as file:
            file["taps"] = [1.0, 2.0, 4.0]
        for stage, expected in (({"mask": "1 2 4"}, [4, 2, 1]), ({"mask": "1 2 4", "operation": "convolve"}, [1, 2, 4]),
                                ({"mask": f"{self.folder}/taps.h5:/taps"}, [4, 2, 1]), ({"mask": "box", "size": 2}, [0.5, 0.5])):
            result = files.Result(self.made("/flat", f"{len(self.reports)}.h5", **stage))
            np.testing.assert_allclose(filters.responses(result)[0][1], expected)
        self.assertEqual(filters.responses(files.Result(self.made("/grid", "grid.h5", mask="gaussian", sigma=2))), [])
        slope = files.Result(self.made("/strain", "slope.h5", mask="gaussian", sigma=2, order=1, delta=0.5))
        np.testing.assert_allclose(filters.responses(slope)[0][1], 2 * stencil.masks.gaussian(2, 1, axes=1)[::-1])

    def test_pages_hold_the_numbers(self):
        page = pathlib.Path(self.view(self.band(), "--html")).read_text()
        facts = json.loads(re.search(r"const facts = (.*);\n", page)[1])
        self.assertEqual([chart["title"] for chart in facts["charts"]],
                         ["input and output", "power spectral density", "frequency response", "impulse response"])
        low = np.frombuffer(base64.b64decode(facts["charts"][0]["lines"][0]["low"]), "<f4")
        np.testing.assert_array_equal(low, self.signal.astype("f4"))
        self.assertNotRegex(page.replace("http://www.w3.org", ""), r"https?://", "a page loads nothing")

    def test_spectra_of_weak_signals(self):
        with h5py.File(self.folder / "in.h5", "a") as file:
            file["weak"] = 1e-21 * self.signal  # densities are below the smallest number of float32
        page = pathlib.Path(self.view(self.made("/weak", mask="box", size=1), "--html")).read_text()
        charts = {chart["title"]: chart for chart in json.loads(re.search(r"const facts = (.*);\n", page)[1])["charts"]}
        density = 10.0 ** np.frombuffer(base64.b64decode(charts["power spectral density"]["lines"][0]["low"]), "<f4").astype(float)
        expected = scipy.signal.welch(1e-21 * self.signal, 1, nperseg=2 * len(density), detrend="constant")[1][1:]
        np.testing.assert_allclose(np.median(density), np.median(expected), rtol=0.1)

    @unittest.skipIf(BROWSER is None, "no Chromium")
    def test_pages_open_and_zoom_in_a_browser(self):
        stack = self.made("/stack", "stack.h5", mask="gaussian", sigma=1)
        for charts, *words in ((4, self.band()), (0, self.made("/grid", "grid.h5", mask="gaussian", sigma=2)), (0, stack, "--as", "animation")):
            page = pathlib.Path(self.view(*words, "--html"))
            catch = ("<script>window.errors = []; window.onerror = message => { errors.push(message); };"
                     "console.error = (...words) => { errors.push(words.join(' ')); };</script>")
            page.write_text(page.read_text().replace("<style>", catch + "<style>").replace("</body>", ZOOMS + "</body>"))
            words = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder / 'profile'}", "--window-size=1200,1200",
                     "--virtual-time-budget=3000", "--enable-logging=stderr", "--dump-dom", page.as_uri()]
            shown = subprocess.run(words, capture_output=True, text=True, timeout=120)
            found = json.loads(re.search(r"<title>(.*?)</title>", shown.stdout)[1])
            self.assertEqual(found, {"charts": charts, "pictures": int(charts == 0), "errors": []})
            self.assertEqual([line for line in shown.stderr.splitlines() if ":CONSOLE" in line], [])


if __name__ == "__main__":
    unittest.main()
