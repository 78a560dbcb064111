package palyra.policy.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.policy.internal.plan.Samples.ALL;
import static palyra.policy.internal.plan.Samples.NOT_EVE;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.command.Command;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.policy.internal.plan.Records;
import palyra.policy.internal.plan.Samples;
import palyra.policy.internal.set.Snapshot;
import palyra.testing.command.FakeCommandContext;

/** Sets of policies and a services for commands. */
abstract class PolicyCommandsFixture {
    static final Snapshot IN_FORCE = Samples.set(ALL, NOT_EVE);
    static final String SHA = IN_FORCE.view().sha256();

    final FakeSets sets = new FakeSets().with(IN_FORCE);
    final NativeEngineCheck check = new NativeEngineCheck(Samples.gate());
    final PolicyServices services =
            new PolicyServices(sets, check, Samples.gate(), new Records().gate());

    @TempDir Path folder;

    @AfterEach
    void close() {
        check.close();
    }

    FakeCommandContext.Builder context() {
        return FakeCommandContext.builder().workingFolder(folder.toString());
    }

    static FakeCommandContext run(int code, Command command, FakeCommandContext context)
            throws Exception {
        assertEquals(code, context.run(command), context.output().notes().toString());
        return context;
    }

    static void refuses(int code, String because, Command command, FakeCommandContext context)
            throws Exception {
        run(code, command, context);
        assertEquals(1, context.output().notes().size());
        assertTrue(
                context.output().notes().get(0).contains(because),
                context.output().notes()::toString);
        assertEquals("", context.output().text());
    }
}
