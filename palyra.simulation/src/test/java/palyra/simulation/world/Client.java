package palyra.simulation.world;

import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;

/** Somebody who sends a few messages and asks again, with the same key, until each is taken. */
final class Client {
    private static final String[] SCRIPTS = {".", ".", "o.", "a.", "oa.", "q.", "oq.", "ooo."};

    private final World world;
    private final Principal self;
    private final int messages;

    Client(World world, int number, int messages) {
        this.world = world;
        this.messages = messages;
        this.self =
                new Principal(
                        "user:" + number,
                        PrincipalKind.USER,
                        Set.of(),
                        Set.of(),
                        "token:simulated");
    }

    void run() {
        for (int i = 1; i <= messages; i++) {
            world.sleep(world.faults.below(3_000));
            String key = self.id() + "-" + i;
            String script = SCRIPTS[world.faults.below(SCRIPTS.length)];
            String session = "session-" + world.faults.below(2);
            Ack ack = submit(key, script, session);
            if (world.faults.below(5) == 0) {
                world.sleep(world.faults.below(2_000));
                cancel(ack);
            }
        }
        world.clientDone();
    }

    private Ack submit(String key, String script, String session) {
        SubmittedMessage message =
                new SubmittedMessage(
                        "sim", key, "", session, "", "", "", key + " " + script, "", false);
        while (true) {
            world.now("submitting " + key);
            try {
                Submission taken =
                        world.node().call(() -> world.node().front().submit(self, message));
                Ack ack = new Ack(key, taken.messageId());
                world.acknowledged(ack);
                return ack;
            } catch (PalyraException e) {
                if (e.code().kind() == ErrorCode.Kind.USER && e.code() != ErrorCode.CONFLICT) {
                    world.fail("message " + key + " was refused", e);
                }
                world.now("submitting " + key + " after " + e.getMessage());
            } catch (Node.ConnectionLost e) {
                // it asks again, with the same key
            }
            world.sleep(200 + world.faults.below(800));
        }
    }

    private void cancel(Ack ack) {
        for (int i = 0; i < 100 && !world.isOver(); i++) {
            world.now("cancelling " + ack);
            try {
                String runId =
                        world.node()
                                .call(() -> world.node().front().submission(self, ack.messageId()))
                                .runId();
                if (!runId.isEmpty()) {
                    world.node().call(() -> world.node().front().cancel(self, runId, "enough"));
                    world.tell("cancelled " + ack);
                    return;
                }
            } catch (PalyraException | Node.ConnectionLost e) {
                world.now("cancelling " + ack + " after " + e.getMessage());
            }
            world.sleep(500);
        }
    }

    /** A message that was taken. */
    record Ack(String key, String messageId) {}
}
