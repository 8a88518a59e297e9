"""New matches, invitations, seats handed over to another device, rematches. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.core.position import Side
from ninefold.core.text import clean_name
from ninefold.games import find_game
from ninefold.match.clock import full_clock
from ninefold.match.match import Match, begin
from ninefold.match.state import HUMAN, Seat, Setup
from ninefold.players.player import make_player
from ninefold.server.hosting import tokens
from ninefold.server.hosting.admission import check_ban, check_blocks
from ninefold.server.hosting.commands import (
    OPEN,
    Arrive,
    Create,
    Forget,
    HandlerContext,
    HandlerResult,
    Handover,
    Identity,
    Join,
    MatchRequest,
    Rematch,
    SeatRequest,
)
from ninefold.server.hosting.errors import has_left, no_such_match
from ninefold.server.hosting.model import HostedMatch, SeatHolder

DELETED = "deleted"  # the name of a player who has deleted their profile
CODE_MINUTES = 10  # in which a code hands a seat over
CODE_MS = CODE_MINUTES * 60_000


def secret_idempotency_key(key: str) -> str:
    """Idempotency key. Secrets derive from it, so it must be unguessable. Without one there is no repeat."""
    if not key:
        return tokens.new_secret()
    if not tokens.is_key(key) or len(key) < tokens.SHORTEST:
        raise Unreadable("guessable_request", least=tokens.SHORTEST, most=tokens.LONGEST)
    return key


def idempotency_key(key: str) -> str:
    """Idempotency key of a seat, whose token is secret, so that the key need not be."""
    if not tokens.is_key(key):
        raise Unreadable("not_a_request", most=tokens.LONGEST)
    return key


def create(known: HostedMatch | None, command: Create, context: HandlerContext) -> HandlerResult:
    """A new match, or the same response again if it has been created already."""
    if command.match in context.deleted:
        raise no_such_match()  # a repeat, and the match was deleted meanwhile
    _check_profile(command.identity, context)
    new = _new_match(command, context)
    if known and command.once:
        raise NotAllowed("request_reused.once")
    if known and not _is_repeat(known, new):
        raise NotAllowed("request_reused")
    hosted = known or new
    secrets = dict(enumerate(command.secrets, 1))
    holders = dict(enumerate(hosted.seat_holders, 1))
    response = {
        "match": hosted.id,
        "seats": {n: secrets[n] for n, one in holders.items() if tokens.matches_digest(secrets[n], one.token)},
        "invitations": {
            n: secrets[n] for n, one in holders.items() if tokens.matches_digest(secrets[n], one.invitation)
        },
        "watch": secrets[3] if tokens.matches_digest(secrets[3], hosted.watch) else None,
    }
    return HandlerResult(response, (hosted,))


def _is_repeat(known: HostedMatch, new: HostedMatch) -> bool:
    """True if the same request makes both matches. Whoever has joined since then has brought another name."""
    joined = [holder.holder == "open" for holder in new.seat_holders]
    one, other = (_without_names(hosted.match.setup, joined) for hosted in (known, new))
    return one == other and known.settings == new.settings


def _without_names(setup: Setup, joined: Sequence[bool]) -> Setup:
    first, second = (
        seat._replace(name="") if anonymous else seat for seat, anonymous in zip(setup.seats, joined, strict=True)
    )
    return setup._replace(at=0, seats=(first, second))


def _toss(command: Create, secret_key: bytes) -> Side:
    """Who starts if a toss decides: by the server's key, else creators would try seeds. At one screen by the seed."""
    number = command.request.seed or 0
    if secret_key:
        number = int(tokens.digest(tokens.derived(secret_key, "toss", command.match)), 16)
    return Side(number % 2)


def _new_match(command: Create, context: HandlerContext) -> HostedMatch:
    request, identity = _identified(command.request, command.identity)
    settings, now = request.settings, context.now
    match = start_match(request, now, _toss(command, context.secret_key))
    first, second = (
        _seat_holder(seat, secret, identity)
        for seat, secret in zip(in_seats(request).seats, command.secrets[:2], strict=True)
    )
    return HostedMatch(
        command.match,
        match,
        settings,
        (first, second),
        created_at=now,
        touched_at=now,
        clock=full_clock(settings.clock),
        watch=tokens.digest(command.secrets[2]) if settings.private else "",
    )


def _identified(request: MatchRequest, identity: Identity | None) -> tuple[MatchRequest, Identity | None]:
    """The request with the name of the profile, and the profile; without it where two people share one screen."""
    if identity is None or [seat.player for seat in request.seats].count(HUMAN) != 1:
        return request, None
    one, two = (seat._replace(name=identity.name) if seat.player == HUMAN else seat for seat in request.seats)
    return request._replace(seats=(one, two)), identity


def in_seats(request: MatchRequest) -> MatchRequest:
    """The request with X in seat 1, where signs belong to the seats: whoever wants to be O takes seat 2."""
    if request.sides == "XO" or not find_game(request.game).player_1_is_x:
        return request
    one, two = request.seats
    return request._replace(seats=(two, one), sides="XO")


def start_match(request: MatchRequest, now: int, tossed: Side = Side.X) -> Match:
    """The match that a request describes. A computer that cannot play the game is refused."""
    game, request = find_game(request.game), in_seats(request)
    for seat in request.seats:
        if seat.player not in (HUMAN, OPEN):
            make_player(game, seat.player, 0)
    options, seed, toss = dict(request.options), request.seed or 0, request.first == "toss"
    first = str(tossed) if toss else request.first
    if first:
        options["first"] = first
    return begin(game, options, _seats(request), at=now, seed=seed, toss=toss)


def _seats(request: MatchRequest) -> tuple[Seat, Seat]:
    one, two = (
        Seat(Side[side], clean_name(seat.name), HUMAN if seat.player == OPEN else seat.player)
        for side, seat in zip(request.sides, request.seats, strict=True)
    )
    return one, two


def _seat_holder(seat: SeatRequest, secret: str, identity: Identity | None) -> SeatHolder:
    if seat.player == HUMAN:
        return with_identity(SeatHolder("person", token=tokens.digest(secret)), identity)
    if seat.player == OPEN:
        return SeatHolder("open", invitation=tokens.digest(secret))
    return SeatHolder("computer")


def with_identity(holder: SeatHolder, identity: Identity | None) -> SeatHolder:
    return holder._replace(profile=identity.profile, rating=identity.rating) if identity else holder


def join(hosted: HostedMatch, command: Join, context: HandlerContext) -> HandlerResult:
    _check_profile(command.identity, context)
    seat, is_handed_over = _seat_for(hosted, command, context)
    holder, token = hosted.seat_holder(seat), _token(hosted, seat, command, context)
    response: dict[str, Any] = {"seat": seat, "side": str(hosted.match.setup.side(seat)), "token": token}
    if tokens.matches_digest(token, holder.token):
        if command.once:
            raise NotAllowed("request_reused.once")
        return HandlerResult(response, (hosted,))  # a repeat: the first response was lost on its way
    if is_handed_over:
        holder = holder._replace(token=tokens.digest(token), code_until=0)
        return HandlerResult(response, (hosted.with_seat_holder(seat, holder),))
    if hosted.match.result:
        raise NotAllowed("ended.join")
    holder = with_identity(holder._replace(holder="person", token=tokens.digest(token)), command.identity)
    _admit(holder, hosted.seat_holder(3 - seat), command.address, context)
    joined = hosted.with_seat_holder(seat, holder)
    match = _with_name(hosted.match, seat, command.identity.name if command.identity else command.name)
    return HandlerResult(response, (joined._replace(match=match, touched_at=context.now),))


def _check_profile(identity: Identity | None, context: HandlerContext) -> None:
    """Refuse a profile that was deleted after its key was checked: no match may name it any more."""
    if identity and identity.profile not in context.profiles:
        raise NotAllowed("bad_key")


def _admit(holder: SeatHolder, opponent: SeatHolder, address: str, context: HandlerContext) -> None:
    """Refuse a player at an address a game against an opponent, if one of them is banned or blocks the other."""
    for who in (address, holder.profile):
        check_ban(context.bans, who, context.now)
    check_blocks(context.blocks, holder.profile, opponent.profile)


def invited_seat(hosted: HostedMatch, invitation: str) -> int:
    """The seat that an invitation opens, which is still free; otherwise it is refused, as joining with it would be."""
    for seat, holder in enumerate(hosted.seat_holders, 1):
        if not tokens.matches_digest(invitation, holder.invitation):
            continue
        if holder.holder != "open":
            raise NotAllowed("invitation_used")
        if hosted.match.result:
            raise NotAllowed("ended.join")
        return seat
    raise no_such_match() if hosted.settings.private else NotAllowed("bad_invitation")


def is_joined(hosted: HostedMatch, key: str, secret_key: bytes) -> bool:
    """True if somebody has joined a public match, without a secret, with this idempotency key."""
    return any(
        tokens.matches_digest(tokens.derived(secret_key, hosted.id, str(seat), "", key), holder.token)
        for seat, holder in enumerate(hosted.seat_holders, 1)
    )


def _token(hosted: HostedMatch, seat: int, command: Join, context: HandlerContext) -> str:
    return tokens.derived(context.secret_key, hosted.id, str(seat), command.secret or "", command.key)


def _seat_for(hosted: HostedMatch, command: Join, context: HandlerContext) -> tuple[int, bool]:
    """The seat that a secret opens, and True if it is handed over from another device."""
    secret = command.secret
    for seat, holder in enumerate(hosted.seat_holders, 1):
        is_open = holder.holder == "open"
        is_repeat = tokens.matches_digest(_token(hosted, seat, command, context), holder.token)
        if secret is None:
            if ((is_open and not holder.is_reserved) or is_repeat) and not hosted.settings.private:
                return seat, False
        elif tokens.matches_digest(secret, holder.code):
            if context.now < holder.code_until or is_repeat:
                return seat, True
            raise NotAllowed("code_used")
        elif tokens.matches_digest(secret, holder.invitation):
            if is_open or is_repeat:
                return seat, False
            raise NotAllowed("invitation_used")
    if hosted.settings.private:
        raise no_such_match()
    raise NotAllowed("no_seat" if secret is None else "bad_invitation")


def _with_name(match: Match, seat: int, name: str) -> Match:
    """The match with another name for a player; nothing that was played depends on it."""
    one, two = match.setup.seats
    named = match.setup.seats[seat - 1]._replace(name=clean_name(name))
    return match._replace(setup=match.setup._replace(seats=(named, two) if seat == 1 else (one, named)))


def seat_of(hosted: HostedMatch, token: str | None) -> int:
    """The seat of the bearer of a token."""
    if token is None:
        raise no_such_match() if hosted.settings.private else NotAllowed("no_token")
    viewer = hosted.viewer(token)
    if viewer.seat is None:
        raise NotAllowed("spectator")
    return viewer.seat


def handover(hosted: HostedMatch, command: Handover, context: HandlerContext) -> HandlerResult:
    """A code that hands the seat over to another device."""
    seat = seat_of(hosted, command.token)
    holder = hosted.seat_holder(seat)
    if holder.holder == "left":
        raise has_left()
    key = idempotency_key(command.key)
    code = tokens.derived(context.secret_key, "code", hosted.id, command.token or "", key)
    if not tokens.matches_digest(code, holder.code):  # else it is a repeat
        holder = holder._replace(code=tokens.digest(code), code_until=context.now + CODE_MS)
        hosted = hosted.with_seat_holder(seat, holder)
    return HandlerResult({"code": code, "expires_at": holder.code_until}, (hosted,))


def rematch(hosted: HostedMatch, command: Rematch, context: HandlerContext) -> HandlerResult:
    """The same people, and the other one starts; their tokens open the new match too.

    It is an offer: the seat of the other person is reserved, and nothing can be played before they arrive.
    """
    seat = seat_of(hosted, command.token)
    _admit(hosted.seat_holder(seat), hosted.seat_holder(3 - seat), command.address, context)
    if hosted.rematch and hosted.rematch != command.replaces:
        return HandlerResult({"match": hosted.rematch}, (hosted,))
    if hosted.match.result is None:
        raise NotAllowed("not_ended.rematch")
    if any(one.holder == "open" for one in hosted.seat_holders):
        raise NotAllowed("nobody")
    again = HostedMatch(
        command.id,
        begin_rematch(hosted.match, context.now),
        hosted.settings,
        _holders_again(hosted, seat),
        context.now,
        context.now,
        clock=full_clock(hosted.settings.clock),
        watch=hosted.watch,
    )
    return HandlerResult({"match": command.id}, (hosted._replace(rematch=command.id), again))


def begin_rematch(match: Match, now: int) -> Match:
    """A new match of the same players. The other one starts: they swap sides, or, where signs belong to the seats, only
    who starts changes."""
    setup, options, seats = match.setup, dict(match.setup.options), match.setup.seats
    if setup.game.player_1_is_x:
        options["first"] = str(Side[options["first"]].other)
    else:
        one, two = seats
        seats = one._replace(side=one.side.other), two._replace(side=two.side.other)
    seed = ((setup.seed or 0) + 1) % 2**32
    return begin(setup.game, options, seats, at=now, seed=seed)


def _holders_again(hosted: HostedMatch, asking: int) -> tuple[SeatHolder, SeatHolder]:
    one, two = (
        SeatHolder("computer")
        if one.holder == "computer"
        else SeatHolder("person" if seat == asking else "open", one.token, profile=one.profile, rating=one.rating)
        for seat, one in enumerate(hosted.seat_holders, 1)
    )
    return one, two


def arrive(hosted: HostedMatch, command: Arrive, context: HandlerContext) -> HandlerResult:
    """Take the seat that is reserved in a rematch. If there are clocks and the other player has gone away meanwhile,
    theirs is reserved now, so that the game begins when both are there."""
    seat = seat_of(hosted, command.token)
    if hosted.match.result:
        raise NotAllowed("ended.join")
    after, other = with_arrival(hosted, seat, context, command.address), hosted.seat_holder(3 - seat)
    if after is not hosted and hosted.clock and other.holder == "person" and not command.present[2 - seat]:
        after = after.with_seat_holder(3 - seat, other._replace(holder="open"))
    return HandlerResult({"seat": seat, "status": after.status}, (after,))


def with_arrival(hosted: HostedMatch, seat: int, context: HandlerContext, address: str) -> HostedMatch:
    """The match with a player in the seat that was reserved for them. Bans and blocks since the offer count: they
    join now."""
    holder = hosted.seat_holder(seat)
    if not holder.is_reserved or hosted.match.result:
        return hosted
    _admit(holder, hosted.seat_holder(3 - seat), address, context)
    return hosted.with_seat_holder(seat, holder._replace(holder="person"))._replace(touched_at=context.now)


def forget(hosted: HostedMatch, command: Forget, context: HandlerContext) -> HandlerResult:
    """The match without a profile that was deleted. The game stays, and so does the seat's token."""
    if command.profile in context.profiles:
        return HandlerResult({}, (hosted,))  # it was made again meanwhile
    if seat := hosted.seat_of_profile(command.profile):
        holder = hosted.seat_holder(seat)._replace(profile="", rating="")
        match = _with_name(hosted.match, seat, DELETED)
        hosted = hosted.with_seat_holder(seat, holder)._replace(match=match)
        return forget(hosted, command, context)  # somebody may have played against themselves
    return HandlerResult({}, (hosted,))
