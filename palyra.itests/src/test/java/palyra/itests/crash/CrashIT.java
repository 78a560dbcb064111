package palyra.itests.crash;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.OneTry;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;
import palyra.itests.process.GatewayProcess;

/**
 * {@code kill -9} at seeded points while runs are going, one state folder all the way: nothing
 * accepted is lost, nothing is answered twice, no effect happens twice, every tape verifies.
 */
public class CrashIT {
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");
    private static final int POINTS = Integer.getInteger("palyra.test.crashes", FULL ? 200 : 10);
    private static final int RUNS = 50;
    private static final long SEED = Long.getLong("palyra.test.seed", 20_261_122L);

    @Rule public final OneTry once = new OneTry();
    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    private final Submitter submitter = new Submitter();
    private final Random random = new Random(SEED);
    private Path home;
    private Path state;
    private Path effects;
    private GatewayProcess gateway;
    private int killedWithRunsOpen;

    @Before
    public void start() throws Exception {
        home = Dist.copy(temp.getRoot().toPath().resolve("home"), Dist.example());
        state = temp.getRoot().toPath().resolve("state");
        effects = state.resolve("append");
        gateway = GatewayProcess.start(home, state).awaitReady();
        gateway.client()
                .run(
                        "agents",
                        "create",
                        "crash",
                        "--test",
                        "true",
                        "--tool",
                        "palyra.echo",
                        "--tool",
                        "palyra.sleep",
                        "--tool",
                        Message.TOOL)
                .ok();
    }

    @After
    public void stop() throws Exception {
        gateway.close();
    }

    @Test
    public void losesNothingAndRepeatsNothingWhenKilledAnywhere() throws Exception {
        for (int i = 0; i < POINTS; i++) {
            CrashPoint point = CrashPoint.seeded(i, random);
            try {
                crash(point);
                recover();
            } catch (AssertionError | Exception e) {
                throw new AssertionError(
                        "seed " + SEED + ", crash " + i + " at " + point + gateway.console(), e);
            }
        }
        finishAndCompare();
    }

    /** Leaves the gateway dead. */
    private void crash(CrashPoint point) throws Exception {
        boolean starting = point.kind() == CrashPoint.Kind.STARTING;
        int open = Math.toIntExact(Audit.open(gateway.client()));
        Submitter.Batch batch = submitter.send(gateway.client(), newMessages(RUNS - open));
        if (starting) {
            // What the messages left behind is then recovered by a gateway that dies of it, too.
            batch.await();
            gateway.kill();
            gateway = GatewayProcess.start(home, state);
        }
        point.await(gateway, effects, submitter);
        gateway.kill();
        batch.await();
    }

    /** As many as are missing; some at least, so that acceptance itself is hit as well. */
    private List<Message> newMessages(int missing) {
        List<Message> messages = new ArrayList<>();
        int first = submitter.sent().size();
        for (int i = 0; i < Math.max(missing, RUNS / 5); i++) {
            // Nine in ten have a session of their own; the others queue up behind one another.
            String session = i % 10 == 9 ? "shared" : "s" + (first + i);
            messages.add(Message.seeded(first + i, session, random));
        }
        return messages;
    }

    private void recover() throws Exception {
        gateway = GatewayProcess.start(home, state).awaitReady();
        CommandClient client = gateway.client();
        killedWithRunsOpen += Audit.open(client) > 0 ? 1 : 0;
        client.run("tape", "verify", "--all").ok();
        List<Message> again = new ArrayList<>(submitter.unanswered());
        List<String> keys = new ArrayList<>(submitter.acknowledged().keySet());
        Collections.sort(keys);
        Collections.shuffle(keys, random);
        keys.subList(0, Math.min(10, keys.size()))
                .forEach(key -> again.add(submitter.sent().get(key)));
        submitter.send(client, again).await();
        assertEquals(List.of(), submitter.unanswered());
    }

    private void finishAndCompare() throws Exception {
        CommandClient client = gateway.client();
        Wait.until(
                "every run to end",
                Duration.ofMinutes(2),
                () -> Audit.open(client) == 0,
                gateway::console);
        int sent = submitter.sent().size();
        submitter.send(client, List.copyOf(submitter.sent().values())).await();
        Audit audit = new Audit(client);
        List<String> lines = CrashPoint.lines(effects);
        audit.read(Audit.runs(client), submitter.acknowledged());
        audit.effects(lines);
        String summary =
                POINTS
                        + " crashes, seed "
                        + SEED
                        + ", "
                        + sent
                        + " messages, "
                        + killedWithRunsOpen
                        + " kills with runs going, "
                        + lines.size()
                        + " lines, "
                        + audit.seen();
        System.out.println("CrashIT: " + summary);
        assertEquals(summary, "", audit.breaches());
        client.run("tape", "verify", "--all").ok();
        assertEquals(0, gateway.terminate());
        controls(audit, lines, summary);
    }

    /** The crashes must have hit something, and the audit must see what is wrong. */
    private void controls(Audit audit, List<String> lines, String summary) {
        assertTrue(summary, audit.seen().getOrDefault("call INTERRUPTED", 0) > 0);
        assertTrue(summary, audit.seen().getOrDefault("turn_restarted", 0) > 0);
        assertTrue(summary, audit.seen().getOrDefault("run SUCCEEDED", 0) > 0);
        assertTrue(summary, killedWithRunsOpen >= POINTS * 3 / 4);
        List<String> wrong = new ArrayList<>(lines);
        wrong.set(0, lines.get(1));
        wrong.add("from nowhere");
        audit.effects(wrong);
        assertTrue(
                audit.breaches(), audit.breaches().contains(lines.get(1) + " was appended twice"));
        assertTrue(audit.breaches(), audit.breaches().contains("from nowhere was appended by no"));
    }
}
