package palyra.access.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.ConsoleSession;
import palyra.api.core.access.SessionTimes;
import palyra.api.core.access.SignInClient;
import palyra.api.core.access.TokenView;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;

/**
 * Sessions of the console: tokens with a mark, and beside each when the person was last seen and
 * last proved to be there. Each look reads the journal. Thread-safe.
 */
final class ConsoleSessions {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleSessions.class);
    private static final String STATES = "access_session";
    private static final long SEEN_MILLIS = 60_000;
    private static final int SEEN_OF_IDLE = 10; // and at the latest after a tenth of the idle time
    private static final int MOST_OF_ACCOUNT = 50;
    private static final int MOST_DELETED = 200;

    /** A session that is not stored yet: its secret and what stores it. */
    record Begun(ConsoleSession session, String secret, List<Operation> operations) {}

    private record State(long seenMillis, long provenMillis, long version) {
        ObjectNode json() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("seenAtMillis", seenMillis)
                    .put("provenAtMillis", provenMillis);
        }
    }

    private record Live(StoredToken token, Account account, State state) {
        ConsoleSession session() {
            TokenView view = token.view();
            return new ConsoleSession(
                    view.tokenId(),
                    account.name(),
                    Authenticator.principal(view),
                    token.mark().factor(),
                    token.mark().address(),
                    token.mark().agent(),
                    view.createdAtMillis(),
                    state.seenMillis(),
                    state.provenMillis(),
                    view.expiresAtMillis());
        }
    }

    private final TokenStore tokens;
    private final AccountStore accounts;
    private final Authenticator authenticator;
    private final SealedDocuments states;
    private final Recorder recorder;
    private final LongSupplier clock;
    private final Ulids ids = new Ulids();

    ConsoleSessions(Gate<Journal> journal, Gate<Keys> keys, Recorder recorder, LongSupplier clock) {
        this.tokens = new TokenStore(journal, keys);
        this.accounts = new AccountStore(journal, keys);
        this.authenticator = new Authenticator(tokens, clock);
        this.states = new SealedDocuments(STATES, journal, keys);
        this.recorder = recorder;
        this.clock = clock;
    }

    /** Makes a session for an account; its groups are those of the account now. */
    Begun begin(Account account, String factor, SignInClient client, SessionTimes times) {
        long now = clock.getAsLong();
        TokenView view =
                new TokenView(
                        ids.next(),
                        "Console: " + printable(client.agent()),
                        account.principalId(),
                        account.groups(),
                        Set.of(),
                        now,
                        now + times.lifeMillis(),
                        0);
        SessionMark mark =
                new SessionMark(
                        account.id(),
                        factor,
                        client.address(),
                        printable(client.agent()),
                        times.idleMillis());
        TokenStore.Made made = tokens.make(view, account.principalId(), mark);
        State state = new State(now, now, 0);
        List<Operation> operations = new ArrayList<>(ended(account, now));
        operations.add(TokenStore.put(made.stored()));
        operations.add(states.put(view.tokenId(), state.json()));
        return new Begun(
                new Live(made.stored(), account, state).session(), made.secret(), operations);
    }

    private static String printable(String agent) {
        String shown = agent.replaceAll("[^ -~]", "?").strip();
        return shown.length() > 100 ? shown.substring(0, 100) : shown;
    }

    /**
     * What a new session sweeps away: the account's sessions that ended, and the oldest of many.
     */
    private List<Operation> ended(Account account, long now) {
        List<StoredToken> own =
                tokens.stored().stream()
                        .filter(each -> !each.mark().isNone())
                        .filter(each -> each.view().principal().equals(account.principalId()))
                        .toList();
        int live = 0;
        List<Operation> operations = new ArrayList<>();
        for (int i = own.size() - 1; i >= 0; i--) {
            TokenView view = own.get(i).view();
            boolean ends =
                    view.revokedAtMillis() != 0
                            || view.expiresAtMillis() <= now
                            || ++live >= MOST_OF_ACCOUNT;
            if (ends && operations.size() < MOST_DELETED) {
                operations.addAll(delete(view.tokenId()));
            }
        }
        return operations;
    }

    private List<Operation> delete(String sessionId) {
        return List.of(
                new Operation.DeleteDocument(StoredToken.COLLECTION, sessionId),
                states.delete(sessionId));
    }

    /** Returns what deletes the sessions of an account that is removed. */
    List<Operation> deleteOf(Account account) {
        return tokens.stored().stream()
                .filter(each -> each.mark().accountId().equals(account.id()))
                .limit(MOST_DELETED)
                .flatMap(each -> delete(each.view().tokenId()).stream())
                .toList();
    }

    /**
     * Returns a session.
     *
     * @param active whether the person did something
     */
    ConsoleSession look(String secret, boolean active) {
        Live live = live(authenticator.session(secret)).orElseThrow(ConsoleSessions::over);
        long now = clock.getAsLong();
        long due = Math.min(SEEN_MILLIS, live.token().mark().idleMillis() / SEEN_OF_IDLE);
        if (!active || now - live.state().seenMillis() < due) {
            return live.session();
        }
        State seen = new State(now, live.state().provenMillis(), live.state().version());
        try {
            recorder.commit(store(live.token().view().tokenId(), seen).build());
        } catch (PalyraException e) {
            // another request of the session was faster, or the journal takes nothing now: the
            // session goes on as it is, to its idle end at the latest
            LOG.debug("A session was not marked as seen", e);
        }
        return live.session();
    }

    private static PalyraException over() {
        return new PalyraException(
                ErrorCode.UNAUTHENTICATED, "The session has ended; sign in again.");
    }

    /** A session lasts while its account does, with all groups that the session has. */
    private Optional<Live> live(StoredToken token) {
        long now = clock.getAsLong();
        TokenView view = token.view();
        String name = view.principal().substring("user:".length());
        Optional<Account> account =
                accounts.find(name)
                        .map(AccountStore.Found::account)
                        .filter(each -> each.id().equals(token.mark().accountId()))
                        .filter(each -> !each.disabled())
                        .filter(each -> each.groups().containsAll(view.groups()));
        Optional<State> state =
                states.find(view.tokenId())
                        .map(
                                found ->
                                        new State(
                                                found.content().path("seenAtMillis").asLong(),
                                                found.content().path("provenAtMillis").asLong(),
                                                found.version()))
                        .filter(each -> now - each.seenMillis() < token.mark().idleMillis());
        boolean open =
                view.revokedAtMillis() == 0
                        && view.expiresAtMillis() > now
                        && account.isPresent()
                        && state.isPresent();
        return open ? Optional.of(new Live(token, account.get(), state.get())) : Optional.empty();
    }

    private Unit.Builder store(String sessionId, State state) {
        return Unit.builder()
                .require(states.at(sessionId, state.version()))
                .add(states.put(sessionId, state.json()));
    }

    /**
     * Notes that the person of a session proved now to be there.
     *
     * @param more what is stored with it, if {@code condition} holds
     */
    ConsoleSession proven(String secret, List<Operation> more, Precondition condition) {
        Live live = live(authenticator.session(secret)).orElseThrow(ConsoleSessions::over);
        long now = clock.getAsLong();
        State proven = new State(now, now, live.state().version());
        recorder.commit(
                store(live.token().view().tokenId(), proven)
                        .require(condition)
                        .addAll(more)
                        .build());
        return new Live(live.token(), live.account(), proven).session();
    }

    /** Returns the sessions that have not ended, newest first; an empty name means any account. */
    List<ConsoleSession> list(String account) {
        List<ConsoleSession> found = new ArrayList<>();
        List<StoredToken> all = tokens.stored();
        for (int i = all.size() - 1; i >= 0; i--) {
            StoredToken token = all.get(i);
            boolean wanted =
                    !token.mark().isNone()
                            && (account.isEmpty()
                                    || token.view().principal().equals("user:" + account));
            if (wanted) {
                live(token).map(Live::session).ifPresent(found::add);
            }
        }
        return found;
    }

    /** Ends a session of that account. */
    void end(String sessionId, Authorized permit, String owner) {
        TokenStore.Found found =
                tokens.find(sessionId)
                        .filter(each -> !each.stored().mark().isNone())
                        .filter(each -> each.stored().view().principal().equals(owner))
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "There is no session "
                                                        + sessionId
                                                        + "; palyra console sessions lists them."));
        recorder.commit(
                Unit.builder()
                        .require(TokenStore.at(sessionId, found.version()))
                        .add(TokenStore.put(found.stored().revokedAt(clock.getAsLong())))
                        .add(permit.record())
                        .build());
    }
}
