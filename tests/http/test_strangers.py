"""Real use: strangers play hundreds of whole games at once; then everything is read back from the file (strangers.py)."""

import strangers
from daemon import sanitized
from patience import PATIENCE


def test_strangers_play_whole_games(start):
    daemon, _ = start("strangers.db")
    games = 60 if sanitized() else 300
    matches = strangers.play(daemon, games, seconds=10 * PATIENCE, max_plies=45, stride=4)  # somebody gives up long before
    assert len(matches) == games
    assert {match.variant for match in matches} == set(strangers.VARIANTS)
    assert all(match.moves for match in matches)
    assert sum(match.outcome is not None for match in matches) > games // 2
