package palyra.bench.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Unit;
import palyra.bench.Setting;

/** One caller, one unit of one record at a time, beside one raw transaction with the same rows. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 2, time = 2)
public class SingleUnit {
    static final String WORK = "palyra.bench.work";

    /** The journal with one open tape. */
    @State(Scope.Benchmark)
    public static class Ours {
        private Path folder;
        private BenchStore store;
        private Unit unit;

        /** Opens it. */
        @Setup(Level.Trial)
        public void open() throws IOException {
            folder = Path.of(System.getProperty(WORK), "single-ours");
            Setting.delete(folder);
            store = BenchStore.open(folder);
            unit = BenchStore.records(store.openRun(), 1);
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() throws IOException {
            store.close();
            Setting.delete(folder);
        }
    }

    /** The peer. */
    @State(Scope.Benchmark)
    public static class Raw {
        private Path folder;
        private RawSqlite raw;
        private long seq;

        /** Opens it. */
        @Setup(Level.Trial)
        public void open() throws IOException, SQLException {
            folder = Path.of(System.getProperty(WORK), "single-raw");
            Setting.delete(folder);
            BenchStore.makePrivate(folder);
            raw = new RawSqlite(folder.resolve("raw.db"));
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() throws IOException, SQLException {
            raw.close();
            Setting.delete(folder);
        }
    }

    /** A unit alone. */
    @Benchmark
    public Committed ours(Ours state) {
        return state.store.journal().commit(state.unit);
    }

    /** A transaction alone: the record, the end of its tape, and the count of all records. */
    @Benchmark
    public long raw(Raw state) throws SQLException {
        long seq = ++state.seq;
        state.raw.begin();
        state.raw.insertRecord(2, seq);
        state.raw.putHead(2, seq);
        state.raw.addTotal(1);
        state.raw.commit();
        return seq;
    }
}
