"""The page on which terrains are drawn around the tools: opening, importing, checks, saving, and nothing lost."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from expedition.terrain import find_terrain, load
from tests.viewer.drawing import LAYERS, Hand
from tests.viewer.serving import Serving, serve


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with an empty store."""
    with serve(tmp_path_factory.mktemp("store")) as started:
        yield started


@pytest.fixture(scope="module")
def context(browser) -> Iterator[object]:
    made = browser.new_context(viewport={"width": 1300, "height": 850}, accept_downloads=True)
    yield made
    made.close()


@pytest.fixture
def hand(context, serving: Serving) -> Iterator[Hand]:
    page = context.new_page()
    hand = Hand(page, serving)
    hand.new()
    yield hand
    assert hand.troubles == []
    page.evaluate("async () => { expeditionDraw.changed = false; await expeditionDraw.sheets.forget(); }")
    page.close()


def draw_box(hand: Hand) -> None:
    hand.tool("t")
    hand.tool("1")
    hand.drag((2, 2), (4, 4))


def button(hand: Hand, name: str) -> None:
    hand.page.get_by_role("button", name=name, exact=True).last.click()


def test_new_terrain_of_a_size(hand: Hand) -> None:
    button(hand, "New")
    dialog = hand.page.locator(".draw-dialog")
    for label, value in (("Width", "6"), ("Height", "3"), ("Cell", "0.25")):
        dialog.get_by_label(label).fill(value)
    button(hand, "Create")
    hand.page.wait_for_function("expeditionDraw.drawing.columns === 24")
    terrain = hand.save("new")
    assert terrain.shape == (12, 24)
    assert terrain.resolution == 0.25
    assert terrain.extent == (0, 6, 0, 3)
    assert hand.findings()["edge"] == ["The ground is closed: there are walls all along the edge."]


@pytest.mark.parametrize(
    ("size", "said"), [((1e5, 1e5, 0.1), "too many"), ((0, 5, 0.1), "at least one cell"), ((5, 5, 0), "A cell is")]
)
def test_impossible_size_is_refused_with_a_sentence(hand: Hand, size: tuple[float, float, float], said: str) -> None:
    hand.page.evaluate("given => expeditionDraw.act('create', ...given, true)", list(size))
    hand.page.locator(".q-notification", has_text=said).wait_for()
    assert hand.page.evaluate("expeditionDraw.drawing.columns") == 100


def test_registered_terrain_with_parameters_is_opened_cell_for_cell(hand: Hand) -> None:
    button(hand, "Open")
    dialog = hand.page.locator(".draw-dialog")
    dialog.locator(".q-select").first.click()
    hand.page.get_by_role("option", name="indoor").click()
    dialog.get_by_label("descriptor size").fill("3")
    dialog.get_by_role("button", name="Open").click()
    hand.page.wait_for_function("expeditionDraw.drawing.name === 'indoor'")
    terrain = hand.save("indoor-copy")
    assert terrain == find_terrain("indoor:descriptor_size=3")


def test_saved_terrain_is_opened_by_its_address_with_everything(hand: Hand, context, serving: Serving) -> None:
    for key in ("s", "l"):
        hand.tool(key)
        hand.click(3, 3 if key == "s" else 4)
    hand.tool("d")
    hand.drag((5, 5), (6, 5))
    terrain = hand.save("again")
    page = context.new_page()
    other = Hand(page, serving, "?terrain=again")
    assert other.page.evaluate("expeditionDraw.drawing.name") == "again"
    assert other.save("again-copy") == terrain
    page.close()


def test_image_becomes_what_the_loader_makes_of_it(hand: Hand, tmp_path: Path) -> None:
    shades = np.random.default_rng(5).integers(0, 256, (40, 60, 4), dtype=np.uint8)
    Image.fromarray(shades, "RGBA").save(tmp_path / "plan of hall.png")
    with hand.page.expect_file_chooser() as chosen:
        button(hand, "Import")
    chosen.value.set_files(tmp_path / "plan of hall.png")
    hand.page.wait_for_function("expeditionDraw.importing")
    for threshold, inverted in ((125, False), (90, False), (90, True)):
        slider = hand.page.locator('[data-field="threshold"]')
        slider.evaluate(
            "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", threshold
        )
        hand.set(inverted=inverted)
        expected = load(tmp_path / "plan of hall.png", threshold=threshold, inverted=inverted, edges="open")
        np.testing.assert_array_equal(hand.layer("wall_height_cm"), expected.wall_height_cm)
    hand.set(resolution=0.2)
    hand.press("import-done")
    terrain = hand.save("traced")
    assert terrain == load(tmp_path / "plan of hall.png", threshold=90, inverted=True, resolution=0.2, edges="open")
    assert hand.page.evaluate("expeditionDraw.importing") is None


def test_import_that_is_cancelled_leaves_the_drawing_and_its_history(hand: Hand, tmp_path: Path) -> None:
    draw_box(hand)
    state = hand.state()
    Image.fromarray(np.zeros((9, 9), np.uint8)).save(tmp_path / "black.png")
    with hand.page.expect_file_chooser() as chosen:
        button(hand, "Import")
    chosen.value.set_files(tmp_path / "black.png")
    button(hand, "Leave it")
    hand.page.wait_for_function("expeditionDraw.importing")
    hand.press("import-cancel")
    assert hand.state() == state
    hand.page.keyboard.press("Control+z")
    assert not hand.layer("wall_height_cm").any()


def test_file_that_is_no_image_is_refused_with_a_sentence(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "lies.png").write_bytes(b"not a picture at all")
    with hand.page.expect_file_chooser() as chosen:
        button(hand, "Import")
    chosen.value.set_files(tmp_path / "lies.png")
    hand.page.locator(".q-notification", has_text="lies.png': not an image").wait_for()


def test_saving_asks_for_a_name_and_before_writing_over(hand: Hand, serving: Serving) -> None:
    draw_box(hand)
    hand.page.keyboard.press("Control+s")
    field = hand.page.locator(".q-dialog input")
    for wrong in ("", "../up", "a/b", "a b", "-rf", "x" * 65, "ä"):
        field.fill(wrong)
        assert hand.page.get_by_role("button", name="Save", exact=True).last.is_disabled(), wrong
    field.fill("asked")
    button(hand, "Save")
    hand.page.wait_for_function("expeditionDraw.sheets.saved === 'asked'")
    first = hand.saved("asked")
    assert hand.page.url.endswith("/draw?terrain=asked")
    assert not hand.page.evaluate("expeditionDraw.changed")
    hand.page.locator(".q-dialog").wait_for(state="detached")

    hand.new()
    hand.page.keyboard.press("Control+s")
    hand.page.locator(".q-dialog input").fill("asked")
    button(hand, "Save")
    hand.page.get_by_text("There is already a terrain named asked.").wait_for()
    assert find_terrain(str(serving.store / "terrains/asked.yaml")) == first
    button(hand, "Write over it")
    hand.page.wait_for_function("expeditionDraw.sheets.saved === 'asked'")
    assert not hand.saved("asked").occupied.any()


def test_download_is_a_zip_that_map_server_and_this_program_read(hand: Hand, tmp_path: Path) -> None:
    draw_box(hand)
    hand.page.evaluate("() => { expeditionDraw.drawing.name = 'packed'; }")
    with hand.page.expect_download() as download:
        button(hand, "Download")
    assert download.value.suggested_filename == "packed.zip"
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
        assert sorted(archive.namelist()) == ["packed.pgm", "packed.yaml"]
        archive.extractall(tmp_path)
    terrain = load(tmp_path / "packed.yaml")
    np.testing.assert_array_equal(terrain.wall_height_cm, hand.layer("wall_height_cm"))


def test_mission_is_set_up_with_the_saved_terrain_and_its_starts(hand: Hand) -> None:
    draw_box(hand)
    hand.tool("s")
    hand.click(6, 6)
    hand.click(8, 6)
    button(hand, "Set up a mission here")
    hand.page.locator(".q-dialog input").fill("for-mission")
    button(hand, "Save")
    hand.page.wait_for_url("**/setup?terrain=for-mission.yaml&placement=marked&robots=2")
    hand.page.get_by_text("for-mission: 10 x 8 m").wait_for()
    assert hand.page.locator(".q-notification").count() == 0
    hand.page.goto(f"{hand.serving.origin}/draw?terrain=for-mission")
    hand.page.wait_for_function("window.expeditionDraw?.drawing?.name === 'for-mission'")


def test_what_is_not_saved_survives_a_reload_and_is_warned_about(hand: Hand) -> None:
    draw_box(hand)
    hand.tool("s")
    hand.click(6, 6)
    state = [layer.tobytes() for layer in map(hand.layer, LAYERS)]
    before = hand.page.evaluate("expeditionDraw.sheets.kept ?? 0")
    hand.page.wait_for_function("before => (expeditionDraw.sheets.kept ?? 0) > before", arg=before)
    warned: list[str] = []
    hand.page.on("dialog", lambda dialog: (warned.append(dialog.type), dialog.accept()))
    hand.page.reload()
    hand.page.wait_for_function("window.expeditionDraw?.drawing")
    hand.page.evaluate("expeditionDraw.ready")
    assert warned == ["beforeunload"]
    assert [layer.tobytes() for layer in map(hand.layer, LAYERS)] == state
    assert [(start["x"], start["y"]) for start in hand.objects("start")] == [(6, 6)]
    assert hand.page.evaluate("expeditionDraw.changed")
    hand.save("kept")
    hand.page.reload()
    hand.page.wait_for_function("window.expeditionDraw?.drawing?.name === 'kept'")
    assert warned == ["beforeunload"]
    assert not hand.page.evaluate("expeditionDraw.changed")


def test_leaving_a_drawing_for_another_asks_first(hand: Hand) -> None:
    draw_box(hand)
    state = hand.state()
    hand.page.evaluate("() => { expeditionDraw.act('create', 5, 5, 0.1, false); }")
    hand.page.get_by_text("has changes that are not saved").wait_for()
    button(hand, "Cancel")
    assert hand.state() == state
    hand.page.wait_for_function("!document.querySelector('.q-dialog')")
    hand.page.evaluate("() => { expeditionDraw.act('create', 5, 5, 0.1, false); }")
    button(hand, "Leave it")
    hand.page.wait_for_function("expeditionDraw.drawing.columns === 50")


def test_checks_tell_of_an_open_edge_and_close_it(hand: Hand) -> None:
    assert hand.findings()["edge"] == ["The ground is open: no wall stands along the edge."]
    hand.press("close-edge")
    assert hand.findings()["edge"] == ["The ground is closed: there are walls all along the edge."]
    walls = np.ones((80, 100), bool)
    walls[2:-2, 2:-2] = False
    np.testing.assert_array_equal(hand.layer("wall_height_cm") > 0, walls)
    hand.tool("e")
    hand.drag((0, 4), (0, 4.4))
    (said,) = hand.findings()["edge"]
    assert said.startswith("The ground is open:")
    assert said.endswith("m of the edge have no wall.")


def test_checks_tell_of_starts_and_of_rooms_without_a_door_and_saving_goes_on(hand: Hand) -> None:
    hand.new(closed=True)
    hand.tool("r")
    hand.drag((5, 1), (9, 5))
    hand.tool("s")
    hand.click(2, 4)
    hand.click(5, 3)
    found = hand.findings()
    assert found["starts"] == ["Start 1 stands in a wall."]
    (said,) = found["reach"]
    assert said == "14.4 m² of free ground cannot be reached from start 0."
    hand.page.locator('[data-about="reach"]').click()
    x, y = hand.pixel(7, 3)
    box = hand.page.locator(".draw-sheet").bounding_box()
    assert (x, y) == pytest.approx((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), abs=2)
    hand.save("unfit")
    hand.page.keyboard.press("0")
    hand.tool("d")
    hand.click(5, 2)
    hand.tool("v")
    hand.drag((5, 3), (7, 3))
    found = hand.findings()
    assert found["starts"] == ["2 robots can stand on the starts."]
    assert found["reach"] == ["All free ground can be reached from start 0."]


def test_terrain_that_cannot_be_is_told_in_one_sentence_and_not_saved(hand: Hand, serving: Serving) -> None:
    hand.tool("p")
    hand.click(3, 3)
    hand.tool("Enter")
    draw_box(hand)
    hand.page.wait_for_function(
        "expeditionDraw.checks.answered === expeditionDraw.checks.asked && expeditionDraw.checks.wrong"
    )
    assert "(3, 3) is not on free ground" in hand.page.locator(".draw-checks").inner_text()
    assert not hand.page.evaluate("expeditionDraw.sheets.saveAs('impossible', true)")
    assert not (serving.store / "terrains/impossible.yaml").exists()


def test_dark_page_has_a_dark_sheet(hand: Hand) -> None:
    light = hand.colour(5, 5)
    hand.page.emulate_media(color_scheme="dark")
    hand.page.wait_for_function("document.body.classList.contains('body--dark')")
    hand.page.wait_for_timeout(50)
    assert sum(hand.colour(5, 5)) < 200 < sum(light)


def test_fingers_draw_pinch_and_pan(browser, serving: Serving) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    page = context.new_page()
    hand = Hand(page, serving)
    hand.new()
    session = context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    hand.tool("t")
    touch("touchStart", hand.pixel(2, 2))
    touch("touchMove", hand.pixel(4, 3))
    touch("touchMove", hand.pixel(5, 4))
    touch("touchEnd")
    assert (hand.layer("wall_height_cm") > 0).sum() == 600
    before = hand.page.evaluate("expeditionDraw.view.camera.scale")
    x, y = hand.pixel(5, 5)
    touch("touchStart", (x - 40, y))
    touch("touchStart", (x - 40, y), (x + 40, y))
    touch("touchMove", (x - 80, y + 30), (x + 80, y + 30))
    touch("touchEnd")
    assert hand.page.evaluate("expeditionDraw.view.camera.scale") == pytest.approx(2 * before, rel=0.05)
    assert hand.pixel(5, 5) == pytest.approx((x, y + 30), abs=3)
    assert (hand.layer("wall_height_cm") > 0).sum() == 600
    assert hand.troubles == []
    context.close()
