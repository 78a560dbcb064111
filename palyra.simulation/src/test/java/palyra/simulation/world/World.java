package palyra.simulation.world;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalView;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.SimulatedGateway;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.SimulatedStore;
import palyra.keys.internal.BootKeys;
import palyra.shared.tape.TapeCodec;
import palyra.simulation.runtime.Machine;

/**
 * One story by a seed: clients send messages, people answer questions, and things go wrong for a
 * while; then nothing goes wrong any more, and whatever was acknowledged has to come to its end.
 */
final class World {
    /** What became of a seed. */
    record Outcome(long seed, long trace, long steps, int acknowledged, List<String> wrong) {}

    private static final long BOUND_MINUTES = 10; // of simulated time, after the faults stopped
    private static final long MOST_HOURS = 2;
    private static final long MOST_STEPS = 3_000_000;
    private static final long[] JUMPS = {-3_600, -20, 3, 60, 7_200, 691_200, -691_200};
    private static final Principal OPERATOR = person("op", "operator");
    private static final Principal APPROVER = person("ann", "approver");

    final Faults faults;
    final Effects effects;
    private final long seed;
    private final Path root;
    private final Machine machine;
    private final boolean told;
    private final Map<String, Client.Ack> acks = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Thread, String> doing = new LinkedHashMap<>();
    private final Set<String> planted = new HashSet<>();
    private final Set<String> cancelled = new HashSet<>();
    private Node node;
    private int clients;
    private boolean over;

    private World(long seed, Path root, boolean told) {
        this.seed = seed;
        this.root = root;
        this.told = told;
        this.machine = new Machine(seed);
        this.faults = new Faults(seed);
        this.effects = new Effects(faults);
    }

    private static Principal person(String name, String group) {
        return new Principal(
                "user:" + name, PrincipalKind.USER, Set.of(group), Set.of(), "token:simulated");
    }

    /** Libraries start on real threads, before the machine. */
    private static void warmUp(Path folder) {
        BootKeys keys = BootKeys.open(folder, Optional.empty());
        JournalFactory.open(folder, keys).close();
    }

    /** Makes a state folder whose agent may use the tools, on a calm day. */
    static void makeTemplate(Path folder) {
        warmUp(folder.resolveSibling("warm"));
        World world = new World(0, folder.resolveSibling("unused"), false);
        world.faults.stop();
        world.runOnMachine(
                () -> {
                    world.node =
                            new Node(world, world.machine.process("first"), folder, "boot-0", 8);
                    world.nodes.add(world.node);
                    world.node.boot();
                    world.awaitReady();
                    world.node.call(
                            () -> {
                                world.node
                                        .gateway()
                                        .offer(
                                                OpenDoor.allow(OPERATOR, "agent.update"),
                                                List.of(
                                                        Effects.ONCE,
                                                        Effects.AGAIN,
                                                        Effects.ASKING));
                                world.node.stop();
                                return true;
                            });
                });
        if (!world.wrong.isEmpty()) {
            throw new IllegalStateException(world.wrong.toString());
        }
    }

    /** Runs a seed in a folder of its own, which is gone afterwards. */
    static Outcome run(long seed, Path template, Path root, boolean told) {
        World world = new World(seed, root, told);
        try {
            copy(template, world.folder());
            world.runOnMachine(world::story);
            return new Outcome(
                    seed,
                    world.machine.trace(),
                    world.machine.steps(),
                    world.acks.size(),
                    world.wrong);
        } finally {
            world.nodes.forEach(Node::bury);
            delete(root);
        }
    }

    private void runOnMachine(Runnable story) {
        SimulatedGateway.forgetIds();
        machine.process("outside")
                .start(
                        () -> {
                            try {
                                story.run();
                            } catch (RuntimeException | Error e) {
                                fail("the story itself", e);
                            }
                            over = true;
                        });
        Machine.End end =
                machine.run(
                        () -> over || !wrong.isEmpty(),
                        TimeUnit.HOURS.toNanos(MOST_HOURS),
                        MOST_STEPS);
        if (end != Machine.End.DONE) {
            wrong.add("the machine stopped: " + end + "; clients: " + doing.values());
        }
        if (!machine.foreign().isEmpty()) {
            wrong.add("real threads meddled: " + machine.foreign());
        }
    }

    private Path folder() {
        return root.resolve("state-" + nodes.size());
    }

    private void story() {
        start();
        clients = 1 + faults.below(4);
        for (int i = 1; i <= clients; i++) {
            Client client = new Client(this, i, 1 + faults.below(4));
            machine.running().start(client::run);
        }
        machine.running().start(this::approve);
        trouble();
        calm();
        settle();
        List<String> found = node.call(() -> new Oracle(node.journal(), effects, planted).safety());
        wrong.addAll(found);
        over = true;
    }

    private void start() {
        Machine.Process process = machine.process("boot-" + (nodes.size() + 1));
        node = new Node(this, process, folder(), "boot-" + (nodes.size() + 1), 1 + faults.below(8));
        nodes.add(node);
        tell("starts");
        node.boot();
    }

    private void awaitReady() {
        for (int i = 0; i < 6_000 && !node.isReady(); i++) {
            sleep(50);
        }
        if (!node.isReady()) {
            wrong.add("the gateway was not ready five minutes after its start");
        }
    }

    /** Kills, swaps and a full disk, now and then. */
    private void trouble() {
        int rounds = 1 + faults.below(12);
        for (int i = 0; i < rounds; i++) {
            sleep(200 + faults.below(4_000));
            restartIfDead();
            switch (faults.below(12)) {
                case 0, 1 -> {
                    tell("is killed");
                    node.kill();
                }
                case 2 -> swap("journal", node::swapJournal);
                case 3, 4 -> swap("gateway", node::swapGateway);
                case 5 -> swap("tools", node::swapTools);
                case 6 -> {
                    tell("has no space");
                    faults.full(true);
                    sleep(100 + faults.below(5_000));
                    faults.full(false);
                    tell("has space again");
                }
                case 7 -> plant();
                case 8 -> {
                    long seconds = JUMPS[faults.below(JUMPS.length)];
                    tell("has its clock set by " + seconds + " s");
                    machine.jump(TimeUnit.SECONDS.toMillis(seconds));
                }
                default -> {} // only what the medium does
            }
        }
    }

    private void swap(String what, Runnable swap) {
        if (!node.isUp()) {
            return;
        }
        tell("swaps " + what);
        try {
            node.call(
                    () -> {
                        swap.run();
                        return true;
                    });
            tell("swapped " + what);
        } catch (Node.ConnectionLost e) {
            // it died meanwhile
        } catch (PalyraException e) {
            tell("did not swap " + what + ": " + e.getMessage());
        }
    }

    /**
     * A defect writes a record that no fold takes into the tape of a run that is going on: its
     * hashes are right, and the run can never go on.
     */
    private void plant() {
        try {
            Optional<String> victim =
                    node.call(
                            () ->
                                    node
                                            .journal()
                                            .runsIn(EnumSet.of(RunState.RUNNING), "", "", 1)
                                            .stream()
                                            .map(RunRow::runId)
                                            .findFirst());
            if (victim.isPresent()) {
                tell("has an illegal record on the tape of " + victim.get());
                planted.add(victim.get());
                node.call(() -> node.journal().commit(Unit.of(illegal(victim.get()))));
            }
        } catch (PalyraException | Node.ConnectionLost e) {
            // it may stand there all the same
        }
    }

    private static Operation illegal(String runId) {
        return TapeCodec.append(runId, new TapeEvent.ToolStarted("nobody", 1, "none", "", ""));
    }

    /** A process that died comes back, on what its medium holds. */
    private void restartIfDead() {
        if (node.process.isKilled()) {
            sleep(100 + faults.below(1_500));
            copy(node.folder, folder());
            start();
            for (int i = 0; i < 200 && !node.isUp() && !node.process.isKilled(); i++) {
                sleep(50);
            }
        }
    }

    private void calm() {
        faults.stop();
        tell("nothing goes wrong any more");
        restartIfDead();
        awaitReady();
    }

    /** Whatever was acknowledged ends within the bound; so do the clients. */
    private void settle() {
        long end = machine.nanos() + TimeUnit.MINUTES.toNanos(BOUND_MINUTES);
        List<String> open = unsettled();
        while (!open.isEmpty() && machine.nanos() < end) {
            sleep(500);
            open = unsettled();
        }
        for (String one : open) {
            wrong.add("no end after " + BOUND_MINUTES + " minutes: " + one);
        }
        if (!open.isEmpty()) {
            wrong.add("set aside: " + node.gateway().setAside());
        }
    }

    private List<String> unsettled() {
        List<String> open = new ArrayList<>();
        if (clients > 0) {
            open.add(clients + " clients: " + doing.values());
        }
        try {
            for (Client.Ack ack : List.copyOf(acks.values())) {
                Optional<String> why = node.call(() -> Oracle.unsettled(node.journal(), ack));
                why.ifPresent(open::add);
            }
            node.call(this::cancelQuarantined).forEach(open::add);
        } catch (PalyraException | Node.ConnectionLost e) {
            open.add("nobody answers: " + e.getMessage());
        }
        return open;
    }

    /** Whatever is set aside can be cancelled. */
    private List<String> cancelQuarantined() {
        List<String> open = new ArrayList<>();
        Set<RunState> aside = EnumSet.of(RunState.QUARANTINED);
        for (RunRow row : node.journal().runsIn(aside, "", "", 100)) {
            open.add("quarantined, and cancelled without an end: " + row);
            if (!cancelled.contains(row.runId())) {
                node.front().cancel(OPERATOR, row.runId(), "it is quarantined");
                cancelled.add(row.runId()); // acknowledged
            }
        }
        return open;
    }

    /** People answer questions, not always with yes. */
    private void approve() {
        while (!over) {
            sleep(700);
            try {
                for (ApprovalView view :
                        node.call(() -> node.approvals().pending(APPROVER, "", "", 50))) {
                    boolean yes = faults.below(5) > 0;
                    ApprovalScope scope =
                            faults.below(3) == 0 ? ApprovalScope.SESSION : ApprovalScope.ONCE;
                    ApprovalAnswer answer =
                            new ApprovalAnswer(view.approvalId(), yes, scope, 0, "as drawn");
                    node.call(() -> node.approvals().decide(APPROVER, answer));
                }
            } catch (PalyraException | Node.ConnectionLost e) {
                // they look again
            }
        }
    }

    Node node() {
        return node;
    }

    boolean isOver() {
        return over;
    }

    void clientDone() {
        doing.remove(Thread.currentThread());
        clients--;
    }

    /** Notes what the calling client is at. */
    void now(String what) {
        doing.put(Thread.currentThread(), what);
    }

    void acknowledged(Client.Ack ack) {
        tell("took " + ack);
        Client.Ack before = acks.putIfAbsent(ack.key(), ack);
        if (before != null && !before.equals(ack)) {
            wrong.add(ack.key() + " was taken as " + before + " and as " + ack);
        }
    }

    void fail(String what, Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        wrong.add(what + ": " + text);
    }

    SimulatedStore.Verdict verdict(Node asking, boolean writes, String what) {
        SimulatedStore.Verdict verdict = faults.ofMedium(writes, what);
        if (verdict != SimulatedStore.Verdict.WORKS) {
            tell(what + " of " + (writes ? "a writer: " : "a reader: ") + verdict);
        }
        return verdict;
    }

    Answers.Verdict answer() {
        Answers.Verdict verdict = faults.ofAnswer();
        if (verdict != Answers.Verdict.WORKS) {
            tell("an answer of the journal: " + verdict);
        }
        return verdict;
    }

    /** Tells the story of a seed that is looked at. */
    void tell(String what) {
        if (told) {
            System.out.printf(
                    "%9.3f s  %s  %s%n",
                    machine.nanos() / 1e9, node == null ? "-" : "boot-" + nodes.size(), what);
        }
    }

    void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a dead process leaves on a medium: all but what was shared memory. */
    static void copy(Path from, Path to) {
        try (var files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                    Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(file));
                } else if (!file.toString().endsWith("-shm")) {
                    Files.copy(file, target, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path root) {
        if (!Files.exists(root)) {
            return;
        }
        try {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes a)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path folder, IOException e)
                                throws IOException {
                            Files.delete(folder);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
