package palyra.shell.internal.socket;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.TestCommand;
import palyra.testing.wait.Await;

/** A server of commands on a socket of its own, and who asks whether it still serves. */
abstract class CommandServerFixture {
    static final byte[] END = {};

    @TempDir Path folder;

    final HostFixture fixture = new HostFixture();

    Path socket;

    CommandServer server;

    @BeforeEach
    void open() throws IOException {
        socket = folder.resolve("run").resolve("command.sock");
        server = open(new Limits(8, 10_000, 60_000));
        fixture.add(
                TestCommand.of(
                        "echo",
                        false,
                        context -> {
                            context.output()
                                    .line(String.join("|", context.arguments().positionals()));
                            context.output().note("noted");
                            return 3;
                        },
                        List.of(),
                        List.of(PositionalSpec.rest("WORDS", "Any"))));
        fixture.add(
                TestCommand.of(
                        "cat",
                        context -> {
                            context.in().transferTo(context.out());
                            return 0;
                        }));
        fixture.add(
                TestCommand.of(
                        "flood",
                        context -> {
                            byte[] block = new byte[64 * 1024];
                            for (int i = 0; i < 200; i++) {
                                context.out().write(block);
                            }
                            return 0;
                        }));
    }

    CommandServer open(Limits limits) throws IOException {
        return CommandServer.open(socket, fixture.host, fixture.seams.access(), limits);
    }

    @AfterEach
    void close() {
        server.close();
    }

    boolean echoes(String word) {
        try (TestClient client = TestClient.request(socket, "echo", word)) {
            return client.exit() == 3 && client.outText().equals(word + "\n");
        } catch (Exception e) {
            return false;
        }
    }

    boolean serves() {
        return echoes("still");
    }

    /** A client of ours may itself be too slow for a server with short limits. */
    void stillServes() {
        Await.until("the server to serve", Duration.ofSeconds(30), this::serves);
    }
}
