"""Games on explicit graphs, in every way a user may write one.

``spec`` is ``{"start": name, "nodes": {...}}``, where a node is ``{"value": v}`` when the game is over (player
0's return) or ``{"player": p, "moves": [[label, child], ...]}``, and may have an ``"eval"`` (for player 0).
Action i is the i-th move.
"""


class BareGraphState:
    """The required methods and no other: copied with copy.deepcopy, and without a key."""

    def __init__(self, spec, at=None):
        self.spec = spec
        self.at = spec["start"] if at is None else at

    @property
    def node(self):
        return self.spec["nodes"][self.at]

    def current_player(self):
        return self.node["player"] if "moves" in self.node else -4

    def is_terminal(self):
        return "value" in self.node

    def legal_actions(self):
        return list(range(len(self.node.get("moves", []))))

    def apply_action(self, action):
        if action not in self.legal_actions():
            raise ValueError(f"no move {action} at {self.at}")
        self.at = self.node["moves"][action][1]

    def returns(self):
        value = self.node.get("value", 0)
        return [value, -value]

    def __deepcopy__(self, memo):
        # As deepcopy does it by itself, but sharing the rules.
        return type(self)(self.spec, self.at)


class GraphState(BareGraphState):
    """With clone and names, but no key."""

    def clone(self):
        return type(self)(self.spec, self.at)

    def action_to_string(self, player, action):
        return self.node["moves"][action][0]

    def __str__(self):
        return str(self.at)


class KeyedGraphState(GraphState):
    """With a key: the node's name (the player to move is part of the node, and added anyway)."""

    def key(self):
        return self.at


class UndoGraphState(KeyedGraphState):
    """Played in place and undone."""

    def __init__(self, spec, at=None, trail=()):
        super().__init__(spec, at)
        self.trail = list(trail)

    def apply_action(self, action):
        before = self.at
        super().apply_action(action)
        self.trail.append(before)

    def undo_action(self, player, action):
        self.at = self.trail.pop()
        assert self.current_player() == player
        assert action in self.legal_actions()

    def clone(self):
        return type(self)(self.spec, self.at, self.trail)


class ChildGraphState(KeyedGraphState):
    """Never played in place by those who know child()."""

    def apply_action(self, action):
        raise AssertionError("child() is there and must be used")

    def child(self, action):
        return type(self)(self.spec, self.node["moves"][action][1])


WAYS = [BareGraphState, GraphState, KeyedGraphState, UndoGraphState, ChildGraphState]


def evaluate_for_mover(state):
    """The node's own number, turned to the player to move. Fails on a finished game."""
    assert not state.is_terminal(), "an evaluation was asked of a finished game"
    value = state.node.get("eval", 0)
    return value if state.current_player() == 0 else -value


def mirrored(spec):
    """The same graph with the players exchanged."""
    nodes = {}
    for name, node in spec["nodes"].items():
        other = dict(node)
        for entry in ("value", "eval"):
            if entry in other:
                other[entry] = -other[entry]
        if "player" in other:
            other["player"] = 1 - other["player"]
        nodes[name] = other
    return {"start": spec["start"], "nodes": nodes}


def random_graph(rng, size, *, cyclic, values=(-2, -1, 0, 1, 2), ends=0.3, evaluations=False):
    """A random graph game; acyclic ones lead from lower to higher numbers only."""
    nodes = {}
    for number in range(size):
        first = 0 if cyclic else number + 1
        if first >= size or (number and rng.random() < ends):
            nodes[number] = {"value": rng.choice(values)}
            continue
        count = rng.randint(1, 3)
        moves = [[f"m{i}", rng.randrange(first, size)] for i in range(count)]
        nodes[number] = {"player": rng.randint(0, 1), "moves": moves}
        if evaluations:
            nodes[number]["eval"] = rng.choice([-3, -1.5, -1, -0.5, 0, 0.25, 1, 2, 1 / 3])
    return {"start": 0, "nodes": nodes}
