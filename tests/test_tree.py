"""GameTree: sizes, arrays, the door, perfect recall, files and pictures."""

import numpy as np
import pytest

from tests.games.liars_dice import LiarsDice
from tests.poker_cases import POKER
from tests.reference.trees import count
from zerosum.core.errors import SearchLimitError, UnsupportedGameError
from zerosum.equilibrium import CFRSolver, GameTree, expected_value, exploitability
from zerosum.games.kuhn import KuhnPoker
from zerosum.games.leduc import LeducPoker

GAMES = [KuhnPoker(), KuhnPoker(5), LeducPoker(), LeducPoker(ranks_only=True), LiarsDice(3)]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_counts_against_a_plain_walk(game):
    tree = GameTree(game)
    totals, texts = count(game.new_initial_state())
    assert tree.num_nodes == totals["nodes"]
    assert tree.num_terminals == totals["terminal"]
    assert tree.num_chance_nodes == totals["chance"]
    assert tree.num_decision_nodes == totals["decision"]
    for player in range(2):
        assert set(tree.information_states(player)) == texts[player]
        assert tree.information_sets_by_player[player] == len(texts[player])
    assert tree.num_information_sets == len(texts[0]) + len(texts[1])


@pytest.mark.parametrize(
    ("name", "game"),
    [("kuhn", KuhnPoker()), ("kuhn with 13 cards", KuhnPoker(13)), ("leduc", LeducPoker())],
)
def test_known_sizes(name, game):
    tree, sizes = GameTree(game), POKER["tree_sizes"][name]
    assert tree.num_nodes == sizes["nodes"]
    assert list(tree.information_sets_by_player) == sizes["information_sets"]
    assert list(tree.num_sequences) == sizes.get("sequences", list(tree.num_sequences))


def test_arrays_hang_together():
    tree = GameTree(LeducPoker())
    for node in range(tree.num_nodes):
        children = range(tree.node_first[node], tree.node_first[node] + tree.node_count[node])
        assert all(tree.node_parent[child] == node for child in children)
        if tree.node_player[node] == -1:
            assert sum(tree.node_chance[child] for child in children) == pytest.approx(1)
    owned = tree.node_infoset[tree.node_player == 1]
    assert set(owned) == set(range(tree.information_sets_by_player[1]))
    order = np.lexsort((tree.payoff_columns, tree.payoff_rows))
    assert (order == np.arange(tree.num_payoffs)).all()
    assert tree.nbytes > 9457 * 36


def test_history_replays():
    game = KuhnPoker()
    tree = GameTree(game)
    for node in range(tree.num_nodes):
        state = game.new_initial_state()
        for action in tree.history(node):
            state.apply_action(action)
        assert state.current_player() == tree.node_player[node]
        if state.is_terminal():
            assert state.returns()[0] == tree.node_utility[node]


class Forgetful:
    """Player 0 acts twice and does not remember the first action."""

    def __init__(self, line=()):
        self.line = line

    def new_initial_state(self):
        return type(self)()

    def current_player(self):
        return -4 if self.is_terminal() else 0

    def is_terminal(self):
        return len(self.line) == 2

    def legal_actions(self):
        return [0, 1]

    def apply_action(self, action):
        self.line = (*self.line, action)

    def returns(self):
        return [1.0, -1.0]

    def information_state_string(self, player=None):
        return str(len(self.line))


class Shifty(Forgetful):
    """One information set with different legal actions."""

    def current_player(self):
        return -4 if self.is_terminal() else len(self.line)

    def legal_actions(self):
        return [0, 1] if not self.line or self.line[0] == 0 else [1]


def test_imperfect_recall_is_refused_with_both_histories():
    with pytest.raises(UnsupportedGameError, match=r"\[0\] and \[1\].*'1'.*perfect recall"):
        GameTree(Forgetful())
    with pytest.raises(UnsupportedGameError, match=r"\[0\] and \[1\].*different legal actions"):
        GameTree(Shifty())


def test_bad_chance_is_refused():
    class Loaded(LiarsDice):
        def new_initial_state(self):
            state = super().new_initial_state()
            state.chance_outcomes = lambda: [(0, 0.5), (1, 0.6)]
            return state

    with pytest.raises(ValueError, match="not a distribution"):
        GameTree(Loaded(3))


def test_memory_limit():
    with pytest.raises(SearchLimitError, match="5 MB"):
        GameTree(KuhnPoker(300), memory_limit_mb=5)


def test_progress_and_interrupt():
    seen = []
    GameTree(KuhnPoker(100), progress=lambda *step: seen.append(step))
    assert seen
    assert all(total is None for _, total, _ in seen)

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        GameTree(KuhnPoker(100), progress=stop)


def test_without_nodes():
    tree = GameTree(LeducPoker(), nodes=False)
    assert tree.num_nodes == 9457
    assert not tree.has_nodes
    assert exploitability(tree, "uniform") == exploitability(LeducPoker(), "uniform")
    with pytest.raises(ValueError, match="nodes=False"):
        CFRSolver(tree, "cfr", sampling="external")


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_save_and_load(tmp_path, game):
    tree = GameTree(game)
    tree.save(tmp_path / "tree.npz")
    loaded = GameTree.load(tmp_path / "tree.npz")
    assert list(tmp_path.iterdir()) == [tmp_path / "tree.npz"]
    for player in range(2):
        assert loaded.information_states(player) == tree.information_states(player)
    solver, again = CFRSolver(tree), CFRSolver(loaded)
    solver.run(20)
    again.run(20)
    assert solver.exploitability() == again.exploitability()
    assert loaded.num_nodes == tree.num_nodes


def test_files_that_are_none(tmp_path):
    path = tmp_path / "x.npz"
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="not a file of this package"):
        GameTree.load(path)
    tree = GameTree(KuhnPoker())
    tree.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays["payoff_rows"] = arrays["payoff_rows"] + 100
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match="do not fit"):
        GameTree.load(path)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("node_player", lambda a: a * 0 + 7),
        ("node_player", lambda a: a * 0 - 1),
        ("node_count", lambda a: -a),
        ("node_count", lambda a: np.where(a, 0, 1)),
        ("node_first", lambda a: a * 0),
        ("node_first", lambda a: a + 2**30),
        ("node_first", lambda a: np.where(np.arange(len(a)) == 1, a + 2, a)),
        ("node_parent", lambda a: a[::-1]),
        ("node_parent", lambda a: a * 0 - 1),
        ("node_infoset", lambda a: a + 5),
        ("node_infoset", lambda a: -a),
        ("node_chance", lambda a: a * 0),
        ("node_chance", lambda a: a * np.nan),
        ("node_utility", lambda a: a.astype(np.float32)),
        ("node_utility", lambda a: a[:-1]),
        ("payoff_values", lambda a: a + np.inf),
        ("payoff_columns", lambda a: a[::-1]),
        ("payoff_rows", lambda a: -a),
        ("offsets_0", lambda a: a.astype(np.int64)),
        ("offsets_1", lambda a: a[::-1]),
        ("parents_0", lambda a: a + 3),
        ("parents_1", lambda a: a.reshape(2, -1)),
        ("actions_0", lambda a: a[:-1]),
        ("path_offsets_1", lambda a: a - 1),
        ("path_actions_0", lambda a: a.astype(float)),
        ("meta", lambda a: np.frombuffer(b'"zerosum game tree 1"', np.uint8)),
        ("meta", lambda a: np.frombuffer(b'{"format": "zerosum game tree 1"}', np.uint8)),
    ],
)
def test_crafted_files_are_refused(tmp_path, name, change):
    path = tmp_path / "tree.npz"
    GameTree(KuhnPoker()).save(path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays[name] = change(arrays[name])
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=r"tree\.npz"):
        GameTree.load(path)


def test_a_missing_file_is_named_as_such(tmp_path):
    with pytest.raises(FileNotFoundError):
        GameTree.load(tmp_path / "none.npz")


def test_a_tree_of_a_state_keeps_its_root():
    state = KuhnPoker().state("JQ")
    tree = GameTree(state)
    state.apply_action(1)
    assert tree.information_states(0) == ["0", "0pb"]
    assert tree.information_states(1) == ["1p", "1b"]


def test_pictures():
    tree = GameTree(KuhnPoker())
    dot = tree.to_dot()
    assert dot.startswith("digraph")
    assert dot.rstrip().endswith("}")
    assert dot.count("->") == 57
    assert dot.count("<b>") == 30
    assert (
        len({line.split("fillcolor=")[1] for line in dot.splitlines() if "fillcolor" in line}) == 4
    )
    assert all(name in dot for name in ("CHECK", "BET", "FOLD", "CALL", "deal J"))
    mermaid = tree.to_mermaid(policy="uniform")
    assert mermaid.startswith("flowchart")
    assert mermaid.count("-->") == 57
    assert mermaid.count(":::result") == 30
    assert "**" not in mermaid
    assert "CHECK 0.5" in mermaid
    with pytest.raises(ValueError, match="9457 nodes"):
        GameTree(LeducPoker()).to_dot()


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "leduc_poker", "liars_dice(numdice=1,dice_sides=3)"]
)
def test_openspiel_games_go_through_the_door(name):
    pyspiel = pytest.importorskip("pyspiel")
    ours = {"kuhn_poker": KuhnPoker(), "leduc_poker": LeducPoker()}.get(name, LiarsDice(3))
    tree, same = GameTree(pyspiel.load_game(name)), GameTree(ours)
    assert tree.num_nodes == same.num_nodes
    for player in range(2):
        assert set(tree.information_states(player)) == set(same.information_states(player))
    assert tree.num_payoffs == same.num_payoffs
    assert np.sort(tree.payoff_values) == pytest.approx(np.sort(same.payoff_values), abs=1e-15)


@pytest.mark.long
def test_tic_tac_toe_of_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    tree = GameTree(pyspiel.load_game("tic_tac_toe"))
    assert (tree.num_nodes, tree.num_terminals) == (549946, 255168)
    # Random play: X wins 737 of 1260 games, O 363.
    assert expected_value(tree, "uniform") == pytest.approx(374 / 1260, abs=1e-12)
    solver = CFRSolver(tree, "cfr+")
    solver.run(500, target=0.02)
    assert solver.exploitability() <= 0.02
    assert expected_value(tree, solver.average_policy()) == pytest.approx(0, abs=0.05)
