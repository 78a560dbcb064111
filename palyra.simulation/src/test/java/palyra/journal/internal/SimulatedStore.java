package palyra.journal.internal;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import palyra.api.core.keys.Keys;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.DatabaseLock;
import palyra.journal.internal.database.Migrations;
import palyra.journal.internal.database.StoreClock;
import palyra.journal.internal.write.RetrySchedule;
import palyra.shared.gate.Gate;

/**
 * The real journal on real SQLite, on a medium that does to each operation what it is told. Before
 * and after each operation other threads may go on. Waits for locks pass in the caller's own time,
 * not in SQLite's.
 */
public final class SimulatedStore implements ConnectionSource {
    private static final String BUSY = "PRAGMA busy_timeout = ";
    private static final long RETRY_MILLIS = 7;

    /** What becomes of an operation of the medium. */
    public enum Verdict {
        /** It works. */
        WORKS,
        /** It fails and nothing happened. */
        REFUSED,
        /** It fails although all of it happened. */
        REFUSED_AFTER_SUCCESS,
        /** There is no space. */
        FULL,
        /** It works, seconds later. */
        SLOW,
        /** It works, and then the thread meets an error of the JVM. */
        ERROR_AFTER_SUCCESS,
        /** The thread meets an error of the JVM before it. */
        ERROR,
        /** The process dies before it. */
        KILLED,
        /** The process dies after it. */
        KILLED_AFTER_SUCCESS
    }

    /** Who decides. */
    public interface Fate {
        /**
         * Says what becomes of an operation.
         *
         * @param writes whether the connection is for writing
         * @param what {@code open}, or the first word of the statement
         */
        Verdict of(boolean writes, String what);

        /** Ends the process whose thread calls; does not return. */
        void die();
    }

    private final DatabaseFile file;
    private final Fate fate;
    private final List<Connection> open = new ArrayList<>();
    private SqliteJournal journal;

    private SimulatedStore(Path folder, Fate fate) {
        this.file = new DatabaseFile(folder);
        this.fate = fate;
    }

    /** Opens a store; its threads are of the caller's process. */
    public static SimulatedStore open(JournalSettings settings, Gate<Keys> keys, Fate fate) {
        SimulatedStore store = new SimulatedStore(settings.folder(), fate);
        store.journal =
                new SqliteJournal(
                        settings,
                        keys,
                        new StoreClock(InstantSource.system(), System::nanoTime),
                        store,
                        Migrations.bundled());
        return store;
    }

    /** Returns the journal. */
    public SqliteJournal journal() {
        return journal;
    }

    /** Lets go of files of a store whose process is dead. */
    public void bury() {
        for (Connection connection : open) {
            closeQuietly(connection);
        }
        open.clear();
        try {
            Field lock = SqliteJournal.class.getDeclaredField("lock");
            lock.setAccessible(true);
            ((DatabaseLock) lock.get(journal)).close();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // it is dead in any case
        }
    }

    @Override
    public Connection open(Use use) throws SQLException {
        boolean writes = use == Use.WRITE || use == Use.CHECKPOINT;
        Connection real = did(writes, "open", () -> file.open(use));
        open.add(real);
        RetrySchedule patience = new RetrySchedule();
        return proxy(
                Connection.class, (method, a) -> connection(real, writes, patience, method, a));
    }

    /** How long a connection waits for locks. */
    private static final class RetrySchedule {
        private long millis;
    }

    private Object connection(
            Connection real,
            boolean writes,
            RetrySchedule patience,
            Method method,
            Object[] arguments)
            throws Throwable {
        Object result = invoke(real, method, arguments);
        return switch (method.getName()) {
            case "prepareStatement" -> {
                PreparedStatement statement = (PreparedStatement) result;
                String text = (String) arguments[0];
                yield proxy(
                        PreparedStatement.class,
                        (m, a) -> statement(statement, text, writes, patience, m, a));
            }
            case "createStatement" -> {
                Statement statement = (Statement) result;
                yield proxy(
                        Statement.class,
                        (m, a) ->
                                statement(
                                        statement,
                                        a == null || !(a[0] instanceof String text) ? "" : text,
                                        writes,
                                        patience,
                                        m,
                                        a));
            }
            case "close" -> {
                open.remove(real);
                yield result;
            }
            default -> result;
        };
    }

    private Object statement(
            Statement real,
            String text,
            boolean writes,
            RetrySchedule patience,
            Method method,
            Object[] arguments)
            throws Throwable {
        if (!method.getName().startsWith("execute")) {
            return invoke(real, method, arguments);
        }
        if (text.startsWith(BUSY)) {
            patience.millis = Long.parseLong(text.substring(BUSY.length()));
            return invoke(real, method, new Object[] {BUSY + "0"});
        }
        int space = text.indexOf(' ');
        return did(
                writes,
                space < 0 ? text : text.substring(0, space),
                () -> patiently(real, patience, method, arguments));
    }

    private static Object patiently(
            Statement real, RetrySchedule patience, Method method, Object[] arguments)
            throws Throwable {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience.millis);
        while (true) {
            try {
                return invoke(real, method, arguments);
            } catch (SQLiteException e) {
                if (e.getResultCode() != SQLiteErrorCode.SQLITE_BUSY || System.nanoTime() >= end) {
                    throw e;
                }
            }
            pause(RETRY_MILLIS);
        }
    }

    private interface Deed<T> {
        T perform() throws Throwable;
    }

    /** An interruption stays for whoever waits for it; the medium takes no notice. */
    private static void pause(long millis) {
        boolean interrupted = Thread.interrupted();
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private <T> T did(boolean writes, String what, Deed<T> deed) throws SQLException {
        Thread.yield();
        Verdict verdict = fate.of(writes, what);
        switch (verdict) {
            case REFUSED -> throw failed(SQLiteErrorCode.SQLITE_IOERR);
            case FULL -> throw failed(SQLiteErrorCode.SQLITE_FULL);
            case SLOW -> pause(3_000);
            case ERROR -> throw new OutOfMemoryError("simulated");
            case KILLED -> fate.die();
            default -> {} // afterwards
        }
        T result = perform(deed);
        switch (verdict) {
            case REFUSED_AFTER_SUCCESS -> throw failed(SQLiteErrorCode.SQLITE_IOERR_FSYNC);
            case ERROR_AFTER_SUCCESS -> throw new OutOfMemoryError("simulated");
            case KILLED_AFTER_SUCCESS -> fate.die();
            default -> Thread.yield();
        }
        return result;
    }

    private static <T> T perform(Deed<T> deed) throws SQLException {
        try {
            return deed.perform();
        } catch (SQLException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static SQLException failed(SQLiteErrorCode code) {
        return new SQLiteException("[" + code.name() + "] simulated", code);
    }

    private static Object invoke(Object target, Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private interface Handler {
        Object handle(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(
                Proxy.newProxyInstance(
                        SimulatedStore.class.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> handler.handle(method, arguments)));
    }
}
