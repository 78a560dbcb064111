package palyra.bench.discord;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.dv8tion.jda.api.JDABuilder;
import net.dv8tion.jda.api.events.message.MessageReceivedEvent;
import net.dv8tion.jda.api.hooks.ListenerAdapter;
import net.dv8tion.jda.api.requests.GatewayIntent;
import net.dv8tion.jda.api.requests.RestConfig;
import net.dv8tion.jda.api.utils.ConcurrentSessionController;
import palyra.testing.discord.FakeDiscord;

/** JDA in a process of its own: it says when it is ready, and when it received so many messages. */
final class JdaPeer implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;

    private JdaPeer(Process process) {
        this.process = process;
        lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Logs in.
     *
     * @param count it says how long it took, each time so many messages were received
     */
    static JdaPeer start(FakeDiscord discord, int count, Path log) throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                JdaPeer.class.getName(),
                                discord.restBase(),
                                discord.gatewayUrl(),
                                discord.token(),
                                Integer.toString(count))
                        .redirectError(log.toFile())
                        .start();
        JdaPeer peer = new JdaPeer(process);
        peer.number("ready");
        return peer;
    }

    /** Returns the number that the next line of a kind says. */
    long number(String kind) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(kind + " ")) {
                return Long.parseLong(line.substring(kind.length() + 1));
            }
        }
        throw new IOException("JDA ended before it said " + kind);
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process: address of the API, address of the gateway, token, and a number of messages. */
    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter(Integer.parseInt(arguments[3]));
        JDABuilder.createLight(
                        arguments[2],
                        List.of(GatewayIntent.GUILD_MESSAGES, GatewayIntent.DIRECT_MESSAGES))
                .setRestConfig(new RestConfig().setBaseUrl(arguments[0] + "/"))
                .setSessionController(
                        new ConcurrentSessionController() {
                            @Override
                            public String getGateway() {
                                return arguments[1];
                            }
                        })
                .addEventListeners(counter)
                .build()
                .awaitReady();
        say("ready", 0);
    }

    private static void say(String kind, long number) {
        System.out.println(kind + " " + number);
        System.out.flush();
    }

    private static final class Counter extends ListenerAdapter {
        private final int count;
        private final AtomicInteger received = new AtomicInteger();
        private final AtomicLong beganNanos = new AtomicLong();

        Counter(int count) {
            this.count = count;
        }

        @Override
        public void onMessageReceived(MessageReceivedEvent event) {
            int number = received.incrementAndGet() % count;
            if (number == 1) {
                beganNanos.set(System.nanoTime());
            } else if (number == 0) {
                say("took", System.nanoTime() - beganNanos.get());
            }
        }
    }
}
