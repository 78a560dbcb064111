package palyra.itests.process;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Properties;
import java.util.stream.Stream;
import palyra.itests.Dist;

/**
 * The database of a state folder, changed behind the gateway's back while no gateway runs; with the
 * driver that the product ships.
 */
final class JournalFile {
    private static final String RECORD =
            "stream_no = (SELECT stream_no FROM runs WHERE run_id = ?) AND seq = ?";

    private JournalFile() {}

    /** What is done with the database. */
    interface Change {
        void make(Connection connection) throws Exception;
    }

    static void change(Path state, Change change) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {sqlite().toUri().toURL()});
                Connection connection =
                        ((Driver)
                                        loader.loadClass("org.sqlite.JDBC")
                                                .getDeclaredConstructor()
                                                .newInstance())
                                .connect(
                                        "jdbc:sqlite:" + state.resolve("journal/journal.db"),
                                        new Properties())) {
            change.make(connection);
        }
    }

    /** Flips the last bit of the byte in the middle of a record's content. */
    static void flipByte(Path state, String runId, long seq) throws Exception {
        change(state, connection -> flipByte(connection, runId, seq));
    }

    private static void flipByte(Connection connection, String runId, long seq) throws Exception {
        try (PreparedStatement read =
                        connection.prepareStatement("SELECT payload FROM tape WHERE " + RECORD);
                PreparedStatement write =
                        connection.prepareStatement(
                                "UPDATE tape SET payload = ? WHERE " + RECORD)) {
            read.setString(1, runId);
            read.setLong(2, seq);
            byte[] payload;
            try (ResultSet found = read.executeQuery()) {
                if (!found.next()) {
                    throw new AssertionError("run " + runId + " has no record " + seq);
                }
                payload = found.getBytes(1);
            }
            payload[payload.length / 2] ^= 1;
            write.setBytes(1, payload);
            write.setString(2, runId);
            write.setLong(3, seq);
            if (write.executeUpdate() != 1) {
                throw new AssertionError("record " + seq + " of run " + runId + " is as it was");
            }
        }
    }

    private static Path sqlite() throws IOException {
        try (Stream<Path> all = Files.walk(Dist.folder())) {
            return all.filter(jar -> jar.getFileName().toString().matches("sqlite-jdbc-.*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
