"""OGN files: what is read and written, that nothing is lost between, what is refused, and where."""

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.games.ogn import (
    RULE_TAGS,
    OgnError,
    OgnGame,
    OgnMove,
    format_ogn,
    parse_ogn,
    read_ogn,
    write_ogn,
)
from zerosum.games.oware import Oware

TEXT = r"""; a file with two games
[Event "Friendly"]
[South "Ama \"the \\ fox\""]
[North ""]
[Result "*"]

{opening} 1. F e 2. D {a comment
over two lines} b ; and one to the end of the line}
3. A a 4. F * {abandoned}

1. A a 2. B b 26-22
"""


def test_reading():
    first, second = parse_ogn(TEXT)
    assert first.tags == {
        "Event": "Friendly",
        "South": 'Ama "the \\ fox"',
        "North": "",
        "Result": "*",
    }
    assert first.comments == [" a file with two games", "opening"]
    assert [move.action for move in first.moves] == [5, 4, 3, 1, 0, 0, 5]
    assert first.moves[2].comments == ["a comment\nover two lines"]
    assert first.moves[3].comments == [" and one to the end of the line}"]
    assert first.moves[6].comments == ["abandoned"]
    assert first.result == "*"
    assert first.final_state() == Oware().play("FeDbAaF")
    assert second == OgnGame({}, [OgnMove(0), OgnMove(0), OgnMove(1), OgnMove(1)], "26-22")


def test_writing_what_was_read():
    games = parse_ogn(TEXT)
    written = format_ogn(games)
    assert parse_ogn(written) == games
    assert format_ogn(parse_ogn(written)) == written


def test_line_ends_and_byte_order_mark():
    assert parse_ogn("\ufeff" + TEXT.replace("\n", "\r\n")) == parse_ogn(TEXT)


def test_the_shape_of_a_file():
    state = Oware().play("FeDb")
    assert format_ogn(OgnGame.from_state(state, {"Event": "x"})) == (
        '[Event "x"]\n[Variant "abapa"]\n[Result "*"]\n\n1. F e 2. D b *\n'
    )


def random_game(rng, game, start=None):
    state = game.state(start) if start else game.new_initial_state()
    for _ in range(300):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("rules", ["abapa", "awari", "casual"])
def test_random_games(rules):
    rng = random.Random(11)
    for _ in range(20):
        houses = rng.randint(1, 8)
        switches = rng.choice(
            [{}, {"grand_slam": "all_but_last"}, {"majority": False}, {"repetition": "split"}]
        )
        state = random_game(rng, Oware(rules, houses, rng.randint(1, 5), **switches))
        game = OgnGame.from_state(state, {"Round": "3"})
        (back,) = parse_ogn(format_ogn(game))
        assert back == game
        assert back.final_state() == state
        assert back.final_state().history() == state.history()
        assert (
            game.result
            == {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[
                (state.returns()[0] > 0) - (state.returns()[0] < 0)
            ]
            or not state.is_terminal()
        )
        assert max(map(len, format_ogn(game).splitlines())) <= 80


def test_a_start_where_north_is_first():
    start = "13-0-1-0-0-14-0-2-0-12-1-1-2-2-N"
    state = random_game(random.Random(1), Oware("awari"), start)
    game = OgnGame.from_state(state)
    text = format_ogn(game)
    assert f'[FEN "{start}"]' in text
    assert "\n1... " in text
    assert " 2. " in text
    assert parse_ogn(text) == [game]
    assert parse_ogn(text)[0].final_state() == state


def test_captures_are_said_and_checked():
    state = random_game(random.Random(5), Oware())
    game = OgnGame.from_state(state)
    captured = [move.captured for move in game.moves if move.captured]
    assert sum(captured) == sum(state.scores)
    assert f"+{captured[0]} " in format_ogn(game)
    unsaid = format_ogn(
        OgnGame(game.tags, [OgnMove(move.action) for move in game.moves], game.result)
    )
    assert parse_ogn(unsaid)[0].final_state() == state


def test_files(tmp_path):
    path = tmp_path / "games.ogn"
    games = parse_ogn(TEXT)
    write_ogn(path, games)
    assert read_ogn(path) == games
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match="carriage"):
        write_ogn(path, OgnGame(comments=["a\rb"]))
    assert read_ogn(path) == games
    path.write_bytes(b'[Event "x"]\n\n1. F \xff *')
    with pytest.raises(OgnError, match="line 3, column 6: the file is not UTF-8"):
        read_ogn(path)


HEAD = '[Event "x"]\n\n'


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('[Result "won"]\n1. F e', (1, 1), "'won' is not a result"),
        ("1. F e 30-20", (1, 8), "more than 48 seeds"),
        ('[Variant "abapa"]\n[Event "x"]\n[GrandSlam "foo"]\n*', (3, 1), "grand_slam='foo'"),
        ('[Seeds "100"]\n[Event "x"]\n[Houses "2"]\n*', (3, 1), "at most 255"),
        ('[Event "x"', (1, 1), "not of the form"),
        ("[Event x]", (1, 1), "not of the form"),
        ('[Event "x\n"]', (1, 1), "not of the form"),
        ('[Event "x"]\n[Event "y"]\n*', (2, 1), "Event is given twice"),
        (HEAD + "1. F {never closed *", (3, 6), "not closed"),
        (HEAD + "1. F e 3. D *", (3, 8), "move number 3, expected 2"),
        (HEAD + "1. F 1. e *", (3, 6), "North is to move"),
        (HEAD + "1... F *", (3, 1), "South is to move"),
        (HEAD + "2. F *", (3, 1), "expected 1"),
        (HEAD + "1. F F *", (3, 6), "'F'"),
        (HEAD + "1. G *", (3, 4), "'G'"),
        (HEAD + "1. F a\n2. F *", (4, 4), "'F'"),
        (HEAD + "1. F+2 *", (3, 4), "captures 0, not 2"),
        (HEAD + "1. F+ *", (3, 4), "'F\\+'"),
        (HEAD + "1. Fe *", (3, 4), "'Fe'"),
        (HEAD + "1. F ? *", (3, 6), "'\\?'"),
        (HEAD + "1. F e 1-1-1", (3, 8), "'1-1-1'"),
        (HEAD + "1. F e *\n}", (4, 1), "'}'"),
        ('[Result "1-0"]\n1. F e 0-1', (2, 8), "tag says 1-0"),
        ('1. F\n[Event "x"]\n*', (2, 1), "result missing"),
        ('[Event "x"]\n[Variant "kalah"]\n*', (2, 1), "kalah"),
        ('[Houses "six"]\n*', (1, 1), "Houses"),
        ('[Houses "9"]\n*', (1, 1), "houses=9"),
        ('[GrandSlam "no"]\n*', (1, 1), "grand_slam='no'"),
        ('[Majority "maybe"]\n*', (1, 1), "majority='maybe'"),
        ('[Event "x"]\n[FEN "4-4"]\n*', (2, 1), "2 fields"),
    ],
)
def test_bad_texts(text, place, message):
    with pytest.raises(OgnError, match=message) as caught:
        parse_ogn(text)
    assert (caught.value.line, caught.value.column) == place
    assert str(caught.value).startswith(f"line {place[0]}, column {place[1]}: ")


def test_the_last_result_may_be_missing():
    assert parse_ogn("1. F e")[0].result == "*"
    assert parse_ogn('[Result "1-0"]\n\n1. F e 2. D\n')[0].result == "1-0"
    assert len(parse_ogn(TEXT + '\n[Event "begun"]\n')) == len(parse_ogn(TEXT)) + 1


def test_rules_and_captures_as_other_programs_write_them():
    assert parse_ogn('[Variant "Oware Abapa"]\n1. F *')[0].final_state().game == Oware("abapa")
    assert parse_ogn('[Seeds "100"]\n[Houses "1"]\n*')[0].initial_state().south == [100]
    # The last move captures 2; with what the end gives South it wins 4.
    start = '[FEN "1-0-0-0-0-1-1-0-0-0-0-1-24-20-S"]\n'
    for said in ("2", "3"):
        (game,) = parse_ogn(f"{start}1. F+{said}")
        assert game.final_state().end_reason() == "majority"
        assert parse_ogn(format_ogn(game)) == [game]
    with pytest.raises(OgnError, match="captures 2, not 4"):
        parse_ogn(f"{start}1. F+4")


def test_a_move_after_the_end():
    text = '[FEN "0-0-0-0-0-1-1-0-0-0-0-0-25-21-S"]\n1. F *'
    with pytest.raises(
        OgnError, match=r"line 2, column 4: .* after the end of the game \(majority\)"
    ):
        parse_ogn(text)


@pytest.mark.parametrize(
    "game",
    [
        OgnGame(result="won"),
        OgnGame(tags={"a b": "x"}),
        OgnGame(tags={"a": "x\ny"}),
        OgnGame(comments=["}\n"]),
        OgnGame(moves=[OgnMove(6)]),
        OgnGame(moves=[OgnMove(0, 2)]),
        OgnGame(tags={"FEN": "4-4"}),
    ],
)
def test_games_that_cannot_be_written(game):
    with pytest.raises(ValueError):
        format_ogn(game)


COMMENTS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r}")), max_size=2)
VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"))
NAMES = st.text(string.ascii_letters + string.digits + "_", min_size=1).filter(
    lambda name: name != "Result" and name not in RULE_TAGS
)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_round_trip_keeps_everything(data):
    games = []
    for _ in range(data.draw(st.integers(1, 3))):
        state = Oware().new_initial_state()
        game = OgnGame(data.draw(st.dictionaries(NAMES, VALUES, max_size=3)))
        game.comments = data.draw(COMMENTS)
        for _ in range(data.draw(st.integers(0, 30))):
            action = data.draw(st.sampled_from(state.legal_actions()))
            before = state.scores
            state.apply_action(action)
            captured = sum(state.scores) - sum(before)
            said = data.draw(st.sampled_from([None, captured]))
            game.moves.append(OgnMove(action, said, data.draw(COMMENTS)))
        game.result = data.draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*", "26-22"]))
        games.append(game)
    assert parse_ogn(format_ogn(games)) == games


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='[]{};"\\ \n1.23-*+FeDbAaG/é', max_size=60))
def test_any_text_is_read_or_refused_with_its_place(text):
    try:
        games = parse_ogn(text)
    except OgnError as error:
        place = (error.line, error.column)
    else:
        assert parse_ogn(format_ogn(games)) == games
        return
    lines = text.split("\n")
    assert 1 <= place[0] <= len(lines)
    assert 1 <= place[1] <= len(lines[place[0] - 1]) + 1
