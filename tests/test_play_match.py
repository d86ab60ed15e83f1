"""Players, matches, notation and game files, without a screen."""

import random
import threading

import pytest

import zerosum as zs
from zerosum.games.ogn import read_ogn
from zerosum.play.match import Match, start_of
from zerosum.play.notation import GameRecord, notation_for
from zerosum.play.players import EnginePlayer, Human, RandomPlayer
from zerosum.play.record import format_record, parse_record

GAMES = [zs.Oware(), zs.Oware("awari", houses=3, seeds=2), zs.TicTacToe(), zs.MNK(5, 4, 4)]


def random_state(game, rng, start=None):
    state = (start or game.new_initial_state()).clone()
    for _ in range(rng.randrange(12)):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_random_matches_end(game):
    matches = [
        Match(game.new_initial_state(), (RandomPlayer(seed), RandomPlayer(seed + 1)))
        for seed in (1, 1)
    ]
    seen = []
    returns = [match.run(lambda match, choice: seen.append(choice.action)) for match in matches]
    assert returns[0] == returns[1]
    assert matches[0].state.history() == matches[1].state.history() == seen[: len(seen) // 2]
    result = {1: "1-0", -1: "0-1", 0: "1/2-1/2"}
    value = returns[0][0]
    assert matches[0].result() == result[(value > 0) - (value < 0)]
    assert notation_for(game).outcome(matches[0].state)
    with pytest.raises(ValueError, match="over"):
        matches[0].step()


def test_the_engine_never_loses_tictactoe():
    game = zs.TicTacToe()
    for seed in range(10):
        for engine in (0, 1):
            players = [RandomPlayer(seed), RandomPlayer(seed)]
            players[engine] = EnginePlayer(depth=9)
            match = Match(game.new_initial_state(), tuple(players))
            assert match.run()[engine] >= 0


def test_engine_limits():
    state = zs.Oware().new_initial_state()
    seen = []
    choice = EnginePlayer(depth=6).choose(state, None, seen.append)
    assert choice.result == seen[-1]
    assert choice.result.depth == 6
    assert [result.depth for result in seen[:6]] == [1, 2, 3, 4, 5, 6]
    assert EnginePlayer(time=0.02).choose(state).action in state.legal_actions()
    stop = threading.Event()
    stop.set()
    assert EnginePlayer(time=600).choose(state, stop).action in state.legal_actions()
    for bad in ({"depth": 0}, {"time": -1}, {"threads": 0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            EnginePlayer(**bad)
    assert EnginePlayer().name == "zerosum, 1 s a move"
    assert EnginePlayer(depth=3, time=2).name == "zerosum, depth 3, 2 s a move"


@pytest.mark.parametrize("rules", ["abapa", "awari", "casual"])
def test_a_search_can_be_stopped_from_another_thread(rules):
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    result = zs.search(zs.Oware(rules).new_initial_state(), stop=stop, all_actions=False)
    assert result.action in range(6)
    assert result.time < 20
    *_, last = zs.deepen(zs.Oware(rules).new_initial_state(), stop=stop)
    assert last.action in range(6)


@pytest.mark.parametrize("rules", ["abapa", "casual"])
def test_deepening_gives_every_iteration(rules):
    state = zs.Oware(rules).new_initial_state()
    answers = list(zs.deepen(state, depth=7))
    assert [answer.depth for answer in answers] == [1, 2, 3, 4, 5, 6, 7, 7]
    final = zs.search(state, depth=7)
    for answer in answers[-2:]:
        assert (answer.value, answer.action_values) == (final.value, final.action_values)
    assert all(len(answer.principal_variation) == answer.depth for answer in answers)
    assert [a.nodes for a in answers] == sorted(a.nodes for a in answers)
    finished = list(zs.deepen(zs.TicTacToe().state("XXXOO....")))
    assert [answer.action for answer in finished] == [None]


def test_limits_hold_in_a_game_that_repeats_positions():
    state = zs.Oware("casual").new_initial_state()
    for limits in ({"time": 0.2}, {"nodes": 50_000}):
        result = zs.search(state, **limits)
        assert result.action in state.legal_actions()
        assert result.value is not None
    solved = zs.search(zs.Oware("casual", houses=1, seeds=2).new_initial_state(), time=10)
    assert solved.exact


def test_undo_and_resign():
    game = zs.Oware()
    person, engine = Human(), EnginePlayer(depth=2)
    match = Match(game.new_initial_state(), (person, engine))
    assert not match.undo()
    match.play(0)
    match.step()
    match.play(2)
    match.resign()
    assert match.undo()
    assert (match.resigned, len(match.state.history())) == (None, 3)
    assert match.undo()
    assert len(match.state.history()) == 2
    match.play(2)
    match.step()
    assert match.undo()
    assert len(match.state.history()) == 2
    assert match.undo()
    assert match.state == game.new_initial_state()
    match.resign()
    assert (match.result(), match.is_over()) == ("0-1", True)
    with pytest.raises(ValueError, match="over"):
        match.play(0)
    two = Match(game.play("FeDb"), (person, person))
    assert [two.undo() for _ in range(5)] == [True, True, True, True, False]
    north = Match(game.play("F"), (engine, person))
    assert not north.undo()
    assert north.last_move() == (0, 5)
    with pytest.raises(TypeError):
        north.step()
    assert Match(game.play("F"), (engine, Human(lambda state: 3))).step().action == 3


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_files_keep_everything(game, tmp_path):
    rng = random.Random(5)
    notation = notation_for(game)
    for number in range(20):
        start = random_state(game, rng) if number % 2 else game.new_initial_state()
        if start.is_terminal():
            continue
        start = game.state(start.to_text())
        state = random_state(game, rng, start)
        path = str(tmp_path / f"game{number}")
        match = Match(state, (Human(), Human()))
        notation.save(path, GameRecord(state, {notation.side(0): "Ama"}, match.result()))
        record = notation.load(path)
        assert record.state == state
        assert record.state.history() == state.history()
        assert start_of(record.state) == start
        assert (
            record.tags[notation.side(0).lower() if notation.sides[0] == "X" else "South"] == "Ama"
        )
        assert record.result == match.result()


def test_resignation_is_kept(tmp_path):
    path = str(tmp_path / "game.ogn")
    notation = notation_for(zs.Oware())
    notation.save(path, GameRecord(zs.Oware().play("Fe"), {}, "0-1"))
    assert read_ogn(path)[0].result == "0-1"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no line 'game"),
        ("hello", "line 1: 'hello' is not of the form"),
        ("game: chess", "line 1: there is no game called 'chess'"),
        ("game: oware", "line 1: games of oware are not kept"),
        ("\n# note\ngame: tictactoe\ngame: tictactoe", "line 4: game is given twice"),
        ("game: tictactoe\nstart: XX.O..O..", "line 2: .* is not a board and the side"),
        ("game: tictactoe\nstart: X........ X", "line 2: X cannot be to move"),
        ("game: tictactoe\nstart: XXX...... O", "line 2: impossible board"),
        ("game: tictactoe\nmoves: 0 4 4", "line 2: move 3 is '4'; legal are 1, 2"),
        ("game: tictactoe\nmoves: 0 x", "line 2: move 2 is 'x'"),
        ("game: tictactoe\nmoves: 0 3 1 4 2 5", "line 2: move 6 comes after the end"),
        ("game: tictactoe\nresult: won", "line 2: the result is 'won'"),
    ],
)
def test_wrong_records(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_record(text)


def test_records_of_either_beginner():
    for board, mover in (("O........", "X"), (".........", "O"), ("X........", "O")):
        text = f"game: tictactoe\nstart: {board} {mover}\nmoves: 8\n"
        state, _, _ = parse_record(text)
        assert f"start: {board} {mover}\nmoves: 8\n" in format_record(state, {}, "*")


def test_moves_as_people_type_them():
    game = zs.Oware()
    notation = notation_for(game)
    start = game.new_initial_state()
    assert [notation.read_move(start, text) for text in "AbcDEF"] == [0, 1, 2, 3, 4, 5]
    for text in ("G", "1", "AB", "", "ä"):
        with pytest.raises(ValueError, match="South, who plays A to F; legal are A, B"):
            notation.read_move(start, text)
    with pytest.raises(ValueError, match="e cannot be played: the house is empty; legal are a"):
        notation.read_move(game.play("FeA"), "E")
    hungry = game.state(south=[0, 1, 0, 0, 0, 1], north=[0] * 6)
    with pytest.raises(ValueError, match="B cannot be played: it leaves North without seeds"):
        notation.read_move(hungry, "b")
    slam = zs.Oware("awari").state(south=[1, 0, 0, 0, 0, 1], north=[1, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="F cannot be played: it takes all of North's seeds"):
        notation.read_move(slam, "f")

    board = zs.MNK(4, 3, 3)
    notation = notation_for(board)
    state = board.new_initial_state()
    assert [notation.read_move(state, t) for t in ("5", "1,1", "x(1,1)", "(1, 1)")] == [5] * 4
    for text in ("12", "3,0", "0,4", "-1", "x", "1,1,1", "9" * 30, "²"):
        with pytest.raises(ValueError, match="is no cell: type a number from 0 to 11"):
            notation.read_move(state, text)
    with pytest.raises(ValueError, match="cell 5 is taken; legal are 0, 1"):
        notation.read_move(state.child(5), "5")
    assert notation.player("o") == 1
    with pytest.raises(ValueError, match="the sides are X and O"):
        notation.player("south")
