package palyra.journal.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.DatabaseFile;

/**
 * A medium that fails on demand. Where SQLite can be made to fail by itself it is; only what it
 * cannot be brought to, such as a failing sync, is put in its mouth.
 */
final class FaultyMedium implements ConnectionSource {
    /** What becomes of the next commit of a record. */
    enum NextCommit {
        /** It works. */
        WORKS,
        /** The sync fails, and nothing of it has come to the medium. */
        IS_LOST,
        /** The sync fails, although all of it has come to the medium. */
        IS_KEPT,
        /** All of it has come to the medium, and the JVM is out of memory. */
        IS_KEPT_WITH_AN_ERROR
    }

    private final DatabaseFile file;
    private final List<Connection> writers = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();
    private final List<String> statements = new CopyOnWriteArrayList<>();
    private volatile NextCommit next = NextCommit.WORKS;
    private volatile boolean cutOff;
    private volatile boolean virtualThreadSeen;
    private volatile boolean beginning;
    private volatile boolean appended;
    private volatile boolean refusesOpening;

    FaultyMedium(Path folder) {
        file = new DatabaseFile(folder);
    }

    /** Runs a pragma on the writer's connection, which is idle. */
    void onWriter(String pragma) throws SQLException {
        try (var statement = writers.getLast().createStatement()) {
            statement.execute(pragma);
        }
    }

    /** From now on no connection for writing can be opened, or again. */
    void refuseOpening(boolean refuses) {
        refusesOpening = refuses;
    }

    void nextCommit(NextCommit what) {
        next = what;
    }

    /**
     * The JVM is out of memory once the next records are inserted, and again when that is to be
     * taken back.
     */
    void cutOffNext() {
        cutOff = true;
    }

    /** Returns whether the writer is about to get the database for itself. */
    boolean beginning() {
        return beginning;
    }

    int writersOpened() {
        return writers.size();
    }

    /** Returns every statement that was ever prepared. */
    List<String> statements() {
        return statements;
    }

    /** Returns names of the threads that worked with the database. */
    List<String> threads() {
        return threads;
    }

    boolean virtualThreadSeen() {
        return virtualThreadSeen;
    }

    @Override
    public Connection open(Use use) throws SQLException {
        noteThread();
        if (refusesOpening && use != Use.READ) {
            throw new SQLiteException("[SQLITE_IOERR] made up", SQLiteErrorCode.SQLITE_IOERR);
        }
        Connection real = file.open(use);
        if (use == Use.WRITE) {
            writers.add(real);
        }
        return proxy(Connection.class, (method, arguments) -> connection(real, method, arguments));
    }

    private Object connection(Connection real, Method method, Object[] arguments) throws Throwable {
        noteThread();
        Object result = invoke(real, method, arguments);
        if (method.getName().equals("createStatement")) {
            Statement plain = (Statement) result;
            return proxy(Statement.class, (m, a) -> plain(plain, m, a));
        }
        if (!method.getName().equals("prepareStatement")) {
            return result;
        }
        String text = (String) arguments[0];
        statements.add(text);
        PreparedStatement statement = (PreparedStatement) result;
        return proxy(PreparedStatement.class, (m, a) -> statement(statement, text, m, a));
    }

    private Object plain(Statement real, Method method, Object[] arguments) throws Throwable {
        if (cutOff
                && appended
                && method.getName().equals("execute")
                && arguments[0].equals("ROLLBACK")) {
            cutOff = false;
            appended = false;
            throw new OutOfMemoryError("made up");
        }
        return invoke(real, method, arguments);
    }

    private Object statement(PreparedStatement real, String text, Method method, Object[] arguments)
            throws Throwable {
        noteThread();
        if (!method.getName().equals("executeUpdate")) {
            return invoke(real, method, arguments);
        }
        appended |= text.startsWith("INSERT INTO tape");
        if (text.equals("COMMIT") && appended) {
            appended = false;
            return commit(real, method, arguments);
        }
        beginning = text.equals("BEGIN IMMEDIATE");
        try {
            Object result = invoke(real, method, arguments);
            if (cutOff && text.startsWith("UPDATE heads")) {
                throw new OutOfMemoryError("made up");
            }
            return result;
        } finally {
            beginning = false;
        }
    }

    private Object commit(PreparedStatement real, Method method, Object[] arguments)
            throws Throwable {
        NextCommit what = next;
        next = NextCommit.WORKS;
        if (what == NextCommit.IS_LOST) {
            throw syncFailed();
        }
        Object result = invoke(real, method, arguments);
        if (what == NextCommit.IS_KEPT) {
            throw syncFailed();
        }
        if (what == NextCommit.IS_KEPT_WITH_AN_ERROR) {
            throw new OutOfMemoryError("made up");
        }
        return result;
    }

    private static SQLException syncFailed() {
        return new SQLiteException(
                "[SQLITE_IOERR_FSYNC] made up", SQLiteErrorCode.SQLITE_IOERR_FSYNC);
    }

    private void noteThread() {
        virtualThreadSeen |= Thread.currentThread().isVirtual();
        String name = Thread.currentThread().getName();
        if (!threads.contains(name)) {
            threads.add(name);
        }
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
                        FaultyMedium.class.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> handler.handle(method, arguments)));
    }
}
