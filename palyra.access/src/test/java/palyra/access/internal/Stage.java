package palyra.access.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Credential;
import palyra.api.core.access.IssuedToken;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.SqliteJournal;
import palyra.keys.internal.BootKeys;
import palyra.shared.gate.Gate;

/** The real journal and the real keys in a folder, access on top, and a clock in hand. */
public final class Stage implements AutoCloseable {
    private static final Set<String> WRITES = Set.of("commit", "submit");
    public static final ProcessIdentity OWN = new ProcessIdentity(4_242, "palyra");

    public final Path state;
    public final BootKeys keyStore;
    public final Gate<Journal> journalGate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 200);
    public final Gate<LiveFeed> feedGate =
            new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    final Gate<Keys> keysGate = new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 200);
    private final long begun = System.currentTimeMillis();
    final AtomicLong ahead = new AtomicLong(); // how far the clock is ahead, in milliseconds
    final KillableRules rules = new KillableRules();
    public final AccessCore access;
    private volatile boolean full;
    private SqliteJournal journal;
    private Journal offered;

    public Stage(Path state) {
        this(state, null, false);
    }

    /** {@code instead}: what decides; null means the rules that a test can kill. */
    private Stage(Path state, Rules instead, boolean safeMode) {
        this.state = state;
        keyStore = BootKeys.open(state, Optional.empty());
        access =
                new AccessCore(
                        new AccessCore.Parts(
                                journalGate,
                                keysGate,
                                state,
                                instead == null ? rules : instead,
                                OWN,
                                this::now,
                                safeMode),
                        AccessSettings.defaults());
    }

    /** Opens the stage with journal and keys present. */
    public static Stage open(Path state) {
        return open(state, null);
    }

    /** Opens the stage with other rules. */
    static Stage open(Path state, Rules instead) {
        return open(state, instead, false);
    }

    /** Opens the stage as it is after {@code up --safe}. */
    static Stage openForRepair(Path state) {
        return open(state, null, true);
    }

    private static Stage open(Path state, Rules instead, boolean safeMode) {
        Stage stage = new Stage(state, instead, safeMode);
        stage.keysGate.add(stage.keyStore, Map.of());
        stage.journalComes();
        return stage;
    }

    /** Returns the time, which goes on only when a test says so. */
    long now() {
        return begun + ahead.get();
    }

    public SqliteJournal journal() {
        return journal;
    }

    /** A journal on the stage's folder arrives. */
    public void journalComes() {
        journalComes((commit, unit) -> commit.apply(unit));
    }

    /** A journal arrives whose commits a test meddles with. */
    public void journalComes(BiFunction<Function<Unit, Committed>, Unit, Committed> meddling) {
        SqliteJournal real = JournalFactory.open(state, keyStore);
        journal = real;
        offered =
                (Journal)
                        Proxy.newProxyInstance(
                                Journal.class.getClassLoader(),
                                new Class<?>[] {Journal.class},
                                (proxy, method, arguments) -> {
                                    if (full && WRITES.contains(method.getName())) {
                                        throw new PalyraException(
                                                ErrorCode.DISK_FULL, "No space left.");
                                    }
                                    if (method.getName().equals("commit")) {
                                        return meddling.apply(real::commit, (Unit) arguments[0]);
                                    }
                                    try {
                                        return method.invoke(real, arguments);
                                    } catch (InvocationTargetException e) {
                                        throw e.getCause();
                                    }
                                });
        journalGate.add(offered, Map.of());
        feedGate.add(real, Map.of());
    }

    /** From now on the journal takes nothing, or takes everything again. */
    void journalIsFull(boolean now) {
        full = now;
    }

    /** The journal goes, as in an update of its bundle. */
    public void journalGoes() {
        journalGate.remove(offered);
        feedGate.remove(journal);
        journal.close();
    }

    public Principal owner() {
        return access.authenticate(new Credential.LocalPeer(OWN.user(), OWN.uid()));
    }

    Principal come(String token) {
        return access.authenticate(new Credential.ApiToken(token));
    }

    IssuedToken token(Principal maker, String principal, String group, String... scopes) {
        return token(maker, principal, group, 0, scopes);
    }

    IssuedToken token(
            Principal maker, String principal, String group, long ttlMillis, String... scopes) {
        return access.createToken(
                access.authorize(AccessRequest.of(maker, "access.token.create", "")),
                "a token",
                principal,
                Set.of(group),
                Set.of(scopes),
                ttlMillis);
    }

    /** Returns the journal's own events of a type, as text. */
    List<String> events(String type) {
        List<String> found = new ArrayList<>();
        long after = 0;
        List<TapeRecord> page;
        do {
            page = journal.tape(TapeRecord.JOURNAL_STREAM, after, 1_000);
            for (TapeRecord record : page) {
                after = record.seq();
                if (record.type().equals(type)) {
                    found.add(
                            new String(record.payload(), java.nio.charset.StandardCharsets.UTF_8));
                }
            }
        } while (!page.isEmpty());
        return found;
    }

    @Override
    public void close() {
        access.close();
        journal.close();
    }
}
