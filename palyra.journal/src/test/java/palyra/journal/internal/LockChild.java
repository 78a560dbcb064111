package palyra.journal.internal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import palyra.api.PalyraException;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.testing.journal.MemoryKeys;

/**
 * A process with a store that does what it reads, a line each, and answers a line: {@code write},
 * {@code lease MILLIS}, {@code fenced} (a write that needs the lease), {@code close}. First it says
 * {@code open}, or {@code refused} and why.
 */
public final class LockChild {
    private static final String LEASE = "engine";

    private LockChild() {}

    /** Begins; the arguments are the state folder and who takes the lease. */
    public static void main(String[] arguments) throws IOException {
        JournalSettings settings =
                JournalSettings.under(Path.of(arguments[0]), arguments[1])
                        .with(new JournalSettings.Medium(1 << 20, 8 << 20, 0, 2_000));
        String owner = arguments[1] + "/engine";
        try (SqliteJournal journal =
                        JournalFactory.open(settings, new MemoryKeys(), InstantSource.system());
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("open");
            Lease lease = null;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("close")) {
                    break;
                }
                try {
                    if (words[0].equals("lease")) {
                        lease = journal.takeLease(LEASE, owner, Long.parseLong(words[1]));
                        System.out.println("epoch " + lease.epoch());
                    } else {
                        Unit.Builder unit = Unit.builder().add(TestStore.append("journal", line));
                        if (words[0].equals("fenced")) {
                            unit.require(new Precondition.HoldsLease(LEASE, owner, lease.epoch()));
                        }
                        journal.commit(unit.build());
                        System.out.println("wrote");
                    }
                } catch (PalyraException e) {
                    System.out.println("refused " + e.code() + " " + e.getMessage());
                }
            }
        } catch (PalyraException e) {
            System.out.println("refused " + e.code() + " " + e.getMessage());
        }
        System.out.println("closed");
    }
}
