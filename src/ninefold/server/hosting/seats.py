"""Who sits where: new matches, invitations, seats carried to another device, rematches. Pure."""

from __future__ import annotations

from ninefold.core.position import Side
from ninefold.core.text import clean_name
from ninefold.games import find_game
from ninefold.match.match import Match, begin
from ninefold.match.state import HUMAN, Seat
from ninefold.players.player import make_player
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import OPEN, Create, Done, Handover, Join, Moment, Place, Rematch
from ninefold.server.hosting.errors import Problem, has_left, no_such_match, not_ended
from ninefold.server.hosting.model import Chair, Clock, Kept, Time

CODE_MS = 10 * 60_000


def lasting_request(request: str) -> str:
    """A request whose repeat is told the same secrets: nobody else may guess it. Without one there is no repeat."""
    if not request:
        return tokens.new_secret()
    if not tokens.is_request(request) or len(request) < tokens.SHORTEST:
        raise Problem(
            422,
            "guessable_request",
            "Whoever repeats this request is told its secrets.",
            f"Make its id of {tokens.SHORTEST} to {tokens.LONGEST} random characters, or leave it out.",
        )
    return request


def checked_request(request: str) -> str:
    """A request of a seat: its token is secret, so that its name need not be."""
    if not tokens.is_request(request):
        raise Problem(422, "not_a_request", "This is no request id.", "Take up to 64 letters, digits and signs.")
    return request


def create(known: Kept | None, write: Create, moment: Moment) -> Done:
    if known is None:
        known = _new(write, moment.now)
    chairs, (one, two, watch) = dict(enumerate(known.chairs, 1)), write.secrets
    secrets = {1: one, 2: two}
    answer: dict[str, object] = {
        "match": known.id,
        "seats": {seat: secrets[seat] for seat, chair in chairs.items() if tokens.opens(secrets[seat], chair.token)},
        "invitations": {
            seat: secrets[seat] for seat, chair in chairs.items() if tokens.opens(secrets[seat], chair.invitation)
        },
        "watch": watch if tokens.opens(watch, known.watch) else None,
    }
    return Done(answer, (known,))


def _new(write: Create, now: int) -> Kept:
    game = find_game(write.game)
    for place in write.places:
        if place.player not in (HUMAN, OPEN):
            make_player(game, place.player, 0)  # who cannot play is refused
    options = dict(write.options)
    toss = write.first == "toss"
    first = "XO"[write.seed % 2] if toss else write.first
    if first:
        options["first"] = first
    match = begin(game, options, _seats(write), at=now, seed=write.seed, toss=toss)
    first_chair, second_chair = map(_chair, write.places, write.secrets)
    return Kept(
        write.match,
        match,
        write.settings,
        (first_chair, second_chair),
        created_at=now,
        touched_at=now,
        time=_full(write.settings.clock),
        watch=tokens.digest(write.secrets[2]) if write.settings.private else "",
    )


def _full(clock: Clock | None) -> Time | None:
    return Time((clock.initial, clock.initial)) if clock else None


def _seats(write: Create) -> tuple[Seat, Seat]:
    one, two = (
        Seat(Side[side], clean_name(place.name), HUMAN if place.player == OPEN else place.player)
        for side, place in zip(write.sides, write.places, strict=True)
    )
    return one, two


def _chair(place: Place, secret: str) -> Chair:
    if place.player == HUMAN:
        return Chair("person", token=tokens.digest(secret))
    if place.player == OPEN:
        return Chair("open", invitation=tokens.digest(secret))
    return Chair("computer")


def join(kept: Kept, write: Join, moment: Moment) -> Done:
    seat, carried = _seat_for(kept, write, moment)
    chair, token = kept.chair(seat), _token(kept, seat, write, moment)
    answer: dict[str, object] = {"seat": seat, "side": str(kept.match.setup.side(seat)), "token": token}
    if tokens.opens(token, chair.token):
        return Done(answer, (kept,))  # a repeat: the first answer was lost on its way
    if carried:
        return Done(answer, (kept.with_chair(seat, chair._replace(token=tokens.digest(token), code_until=0)),))
    if kept.match.result:
        raise Problem(409, "ended", "The game has ended.", "Start another.")
    joined = kept.with_chair(seat, chair._replace(holder="person", token=tokens.digest(token)))
    return Done(answer, (joined._replace(match=_named(kept.match, seat, write.name), touched_at=moment.now),))


def _token(kept: Kept, seat: int, write: Join, moment: Moment) -> str:
    return tokens.derived(moment.key, kept.id, str(seat), write.secret or "", write.request)


def _seat_for(kept: Kept, write: Join, moment: Moment) -> tuple[int, bool]:
    """The seat that a secret opens, and whether it is carried there from another device."""
    for seat, chair in enumerate(kept.chairs, 1):
        fresh = chair.holder == "open"
        repeat = tokens.opens(_token(kept, seat, write, moment), chair.token)
        if write.secret is None:
            if (fresh or repeat) and not kept.settings.private:
                return seat, False
        elif tokens.opens(write.secret, chair.code):
            if moment.now < chair.code_until or repeat:
                return seat, True
            raise Problem(
                409, "code_used", "This code has been used, or is too old.", "Make another on the first device."
            )
        elif tokens.opens(write.secret, chair.invitation):
            if fresh or repeat:
                return seat, False
            raise Problem(409, "invitation_used", "This invitation has been used.", "Ask for another match, or watch.")
    if kept.settings.private:
        raise no_such_match()
    if write.secret is not None:
        raise Problem(403, "bad_invitation", "This invitation opens no seat.", "Ask for the link again.")
    raise Problem(409, "no_seat", "Both seats are taken.", "You may watch.")


def _named(match: Match, seat: int, name: str) -> Match:
    """The match with the name of who has sat down; nothing has been played yet that could depend on it."""
    one, two = match.setup.seats
    named = match.setup.seats[seat - 1]._replace(name=clean_name(name))
    return match._replace(setup=match.setup._replace(seats=(named, two) if seat == 1 else (one, named)))


def seat_of(kept: Kept, token: str | None) -> int:
    if token is None:
        raise (
            no_such_match()
            if kept.settings.private
            else Problem(401, "no_token", "Only a player can do this.", "Send the token of your seat.")
        )
    reader = kept.reader(token)
    if reader.seat is None:
        raise Problem(403, "spectator", "Spectators read, and never write.", "Take a seat to play.")
    return reader.seat


def handover(kept: Kept, write: Handover, moment: Moment) -> Done:
    seat = seat_of(kept, write.token)
    if kept.chair(seat).holder == "left":
        raise has_left()
    code = tokens.derived(moment.key, "code", kept.id, write.token or "", checked_request(write.request))
    chair = kept.chair(seat)
    if tokens.opens(code, chair.code):
        return Done({"code": code, "expires_at": chair.code_until}, (kept,))  # a repeat
    chair = chair._replace(code=tokens.digest(code), code_until=moment.now + CODE_MS)
    return Done({"code": code, "expires_at": chair.code_until}, (kept.with_chair(seat, chair),))


def rematch(kept: Kept, write: Rematch, moment: Moment) -> Done:
    """The same people with sides swapped; their tokens open the new match too."""
    seat_of(kept, write.token)
    if kept.rematch:
        return Done({"match": kept.rematch}, (kept,))
    if kept.match.result is None:
        raise not_ended("A rematch comes after it.")
    if any(chair.holder == "open" for chair in kept.chairs):
        raise Problem(409, "nobody", "Nobody has played against you.", "Start another match.")
    setup = kept.match.setup
    one, two = (seat._replace(side=seat.side.other) for seat in setup.seats)
    seed = ((setup.seed or 0) + 1) % 2**32
    match = begin(setup.game, dict(setup.options), (one, two), at=moment.now, seed=seed)
    again = Kept(
        write.id, match, kept.settings, _rested(kept), moment.now, moment.now,
        time=_full(kept.settings.clock), watch=kept.watch,
    )  # fmt: skip
    return Done({"match": write.id}, (kept._replace(rematch=write.id), again))


def _rested(kept: Kept) -> tuple[Chair, Chair]:
    one, two = (
        Chair("computer") if chair.holder == "computer" else Chair("person", chair.token) for chair in kept.chairs
    )
    return one, two
