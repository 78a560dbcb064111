package palyra.retention.internal;

import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryKeys;

/** A process that sweeps until it is killed, and says on its output before it begins each unit. */
public final class SweepingChild {
    private SweepingChild() {}

    /** Begins; the arguments are the state folder and the time of the clock. */
    public static void main(String[] arguments) {
        ManualClock clock = new ManualClock(Long.parseLong(arguments[1]));
        try (Store store = new Store(Path.of(arguments[0]), clock, new MemoryKeys())) {
            Gate<Journal> gate = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
            gate.add(telling(store.journal, System.out), Map.of());
            new Retention(gate, clock, CrashTest.AGES)
                    .sweep(EnumSet.allOf(Kind.class), () -> false, kind -> {});
            System.out.println("done");
        }
    }

    private static Journal telling(Journal journal, PrintStream out) {
        return (Journal)
                Proxy.newProxyInstance(
                        Journal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (proxy, method, given) -> {
                            if (method.getName().equals("commit")) {
                                out.println("commit");
                                out.flush();
                            }
                            try {
                                return method.invoke(journal, given);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
