package palyra.simulation.world;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.keys.Keys;
import palyra.front.internal.FrontSettings;
import palyra.front.internal.RunFront;
import palyra.front.internal.approval.ApprovalFront;
import palyra.gateway.internal.engine.SimulatedGateway;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.SimulatedStore;
import palyra.journal.internal.SqliteJournal;
import palyra.keys.internal.BootKeys;
import palyra.shared.gate.Gate;
import palyra.simulation.runtime.Machine;
import palyra.tools.internal.executor.BuiltinExecutor;
import palyra.tools.internal.executor.SimulatedTools;

/** One process of the product on a folder: real journal, keys, tools, gateway and front. */
final class Node {
    /** The process died while it was asked. */
    static final class ConnectionLost extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ConnectionLost() {
            super("the connection was lost", null, false, false);
        }
    }

    private static final long CALL_SECONDS = 60;

    final Path folder;
    final Machine.Process process;
    private final World world;
    private final String bootId;
    private final int maxActiveRuns;
    private final Set<CompletableFuture<?>> calls = new LinkedHashSet<>();
    private final Gate<Journal> journals =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 5_000);
    private final Gate<LiveFeed> feeds =
            new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Intake> intakes =
            new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Gate<Keys> keysGate =
            new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 5_000);
    private Access access;
    private BootKeys keys;
    private SimulatedStore store;
    private Journal offered;
    private SimulatedGateway gateway;
    private BuiltinExecutor tools;
    private RunFront front;
    private ApprovalFront approvals;
    private int gateways;
    private volatile boolean up;

    Node(World world, Machine.Process process, Path folder, String bootId, int maxActiveRuns) {
        this.world = world;
        this.process = process;
        this.folder = folder;
        this.bootId = bootId;
        this.maxActiveRuns = maxActiveRuns;
    }

    /** Starts the product, on a thread of the process. */
    void boot() {
        process.start(
                () -> {
                    try {
                        keys = BootKeys.open(folder, Optional.empty());
                        keysGate.add(keys, Map.of());
                        access = OpenDoor.access();
                        front =
                                new RunFront(
                                        access,
                                        journals,
                                        feeds,
                                        intakes,
                                        new FrontSettings(1_000, 100));
                        approvals =
                                new ApprovalFront(
                                        access, journals, keysGate, System::currentTimeMillis);
                        openJournal();
                        tools = SimulatedTools.with(world.effects.tools());
                        openGateway();
                        up = true;
                    } catch (RuntimeException e) {
                        world.fail("the process could not start", e);
                    }
                });
    }

    private void openJournal() {
        store =
                SimulatedStore.open(
                        JournalSettings.under(folder, bootId)
                                .with(new JournalSettings.Medium(1 << 18, 4 << 20, 0, 2_000)),
                        keysGate,
                        new Fate());
        offered = Answers.of(store.journal(), () -> world.answer());
        journals.add(offered, Map.of());
        feeds.add(store.journal(), Map.of());
        if (gateway != null) {
            gateway.bind(offered, store.journal());
        }
    }

    private void openGateway() {
        gateway =
                new SimulatedGateway(
                        bootId + "/gateway-" + ++gateways,
                        access,
                        keys,
                        new Model(world.faults),
                        maxActiveRuns);
        gateway.bind(tools);
        gateway.bind(offered, store.journal());
        intakes.add(gateway, Map.of());
    }

    /** Replaces the journal's bundle; on a thread of the process. */
    void swapJournal() {
        SqliteJournal old = store.journal();
        journals.remove(offered);
        feeds.remove(old);
        gateway.unbind(offered, old);
        old.close();
        openJournal();
    }

    /** Replaces the gateway's bundle; on a thread of the process. */
    void swapGateway() {
        intakes.remove(gateway);
        gateway.close();
        openGateway();
    }

    /** Replaces the bundle of tools; on a thread of the process. */
    void swapTools() {
        gateway.unbind(tools);
        SimulatedTools.close(tools);
        tools = SimulatedTools.with(world.effects.tools());
        gateway.bind(tools);
    }

    /** Stops in good order; on a thread of the process. */
    void stop() {
        intakes.remove(gateway);
        gateway.close();
        SimulatedTools.close(tools);
        journals.remove(offered);
        feeds.remove(store.journal());
        store.journal().close();
    }

    boolean isUp() {
        return up;
    }

    boolean isReady() {
        return up && gateway.isReady();
    }

    RunFront front() {
        return front;
    }

    ApprovalFront approvals() {
        return approvals;
    }

    SimulatedGateway gateway() {
        return gateway;
    }

    SqliteJournal journal() {
        return store.journal();
    }

    /**
     * Has a thread of the process do something and waits for it, as a client at the other end of a
     * connection does.
     */
    <T> T call(Callable<T> what) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (!up || process.isKilled()) {
            throw new ConnectionLost();
        }
        calls.add(answer);
        process.start(
                () -> {
                    try {
                        answer.complete(what.call());
                    } catch (Throwable e) {
                        answer.completeExceptionally(e);
                    }
                });
        try {
            return answer.get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case PalyraException refusal -> throw refusal;
                case ConnectionLost lost -> throw lost;
                case OutOfMemoryError cut -> throw new ConnectionLost();
                default -> throw new IllegalStateException(e.getCause());
            }
        } catch (TimeoutException e) {
            throw new PalyraException(ErrorCode.TIMED_OUT, "no answer came in a minute");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            calls.remove(answer);
        }
    }

    /** Ends the process as {@code kill -9} does. */
    void kill() {
        up = false;
        process.kill();
        for (CompletableFuture<?> call : calls.toArray(CompletableFuture[]::new)) {
            call.completeExceptionally(new ConnectionLost());
        }
    }

    /** Lets go of the files of a dead process. */
    void bury() {
        if (store != null) {
            store.bury();
        }
    }

    private final class Fate implements SimulatedStore.Fate {
        @Override
        public SimulatedStore.Verdict of(boolean writes, String what) {
            return world.verdict(Node.this, writes, what);
        }

        @Override
        public void die() {
            world.tell("dies at its medium");
            kill();
            while (true) {
                LockSupport.park();
                Thread.yield();
            }
        }
    }
}
