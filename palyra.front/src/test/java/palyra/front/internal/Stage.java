package palyra.front.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import palyra.access.internal.AccessCore;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
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
import palyra.shared.json.StrictJson;

/** The real journal and the real keys in a folder, access on top. */
final class Stage implements AutoCloseable {
    final Path state;
    final BootKeys keyStore;
    final Gate<Journal> journalGate = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 200);
    final Gate<LiveFeed> feedGate = new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    final Gate<Keys> keysGate = new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 200);
    final AccessCore access;
    private SqliteJournal journal;
    private Journal offered;

    private Stage(Path state) {
        this.state = state;
        keyStore = BootKeys.open(state, Optional.empty());
        access = AccessCore.open(state, journalGate, keysGate, false);
    }

    /** Opens the stage with journal and keys present. */
    private volatile boolean runsUnreadable;

    static Stage open(Path state) {
        Stage stage = new Stage(state);
        stage.keysGate.add(stage.keyStore, Map.of());
        stage.journalComes();
        return stage;
    }

    SqliteJournal journal() {
        return journal;
    }

    /** A journal on the stage's folder arrives. */
    void journalComes() {
        journalComes((commit, unit) -> commit.apply(unit));
    }

    /** A journal arrives whose commits a test meddles with. */
    void journalComes(BiFunction<Function<Unit, Committed>, Unit, Committed> meddling) {
        SqliteJournal real = JournalFactory.open(state, keyStore);
        journal = real;
        offered =
                (Journal)
                        Proxy.newProxyInstance(
                                Journal.class.getClassLoader(),
                                new Class<?>[] {Journal.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().equals("commit")) {
                                        return meddling.apply(real::commit, (Unit) arguments[0]);
                                    }
                                    if (method.getName().equals("run") && runsUnreadable) {
                                        throw new PalyraException(
                                                ErrorCode.CORRUPT, "A row is damaged.");
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

    /** Rows of runs cannot be read any more, or can again. */
    void runsUnreadable(boolean unreadable) {
        runsUnreadable = unreadable;
    }

    /** The journal goes, as in an update of its bundle. */
    void journalGoes() {
        journalGate.remove(offered);
        feedGate.remove(journal);
        journal.close();
    }

    /** Returns the recorded decisions about an action, oldest first. */
    List<JsonNode> decisions(String action) {
        return journal.tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                .filter(record -> record.type().equals("access_decision"))
                .map(record -> StrictJson.parse(record.payload(), "a decision"))
                .filter(decision -> decision.path("action").asText().equals(action))
                .toList();
    }

    @Override
    public void close() {
        access.close();
        journal.close();
    }
}
