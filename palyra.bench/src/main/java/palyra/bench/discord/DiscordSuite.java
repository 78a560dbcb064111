package palyra.bench.discord;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.grpc.Conversation;
import palyra.bench.grpc.GrpcClient;
import palyra.bench.grpc.GrpcLoad;
import palyra.bench.grpc.Product;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.testing.discord.Channel;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.Guild;
import palyra.testing.discord.Trouble;
import palyra.testing.discord.User;

/**
 * Messages of people on Discord through the whole product: how many a second are durable when all
 * come at once, as after a lost connection, beside the same number over gRPC and in JDA, which
 * keeps none; how long an answer takes, beside the same agent over gRPC; and what a server costs in
 * memory in which nothing happens, beside JDA.
 */
public final class DiscordSuite implements Suite {
    private static final String TAKEN = "palyra_channel_messages_in_total{";
    private static final String EVENTS = "palyra_discord_events_total{";
    private static final int AS_MANY_AS_IT_TAKES = 5_000; // a second; bounded by what is open
    private static final int CONVERSATIONS = 50;
    private static final int MESSAGES = 500;
    private static final int ANSWERS = 100;
    private static final int A_SECOND = 25; // fewer than the requests that Discord takes
    private static final int GUILDS = 1_000;
    private static final int CHANNELS = 30; // of a server
    private static final int THREADS = 5;
    private static final long PATIENCE_SECONDS = 300;
    private static final long LOOK_MILLIS = 5;

    private final HttpClient http = HttpClient.newHttpClient();

    @Override
    public String name() {
        return "discord";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        messages(setting, report);
        guilds(setting, report);
    }

    private void messages(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("discord");
        try (FakeDiscord discord = new FakeDiscord();
                FakeDiscord other = new FakeDiscord();
                Product product = start(setting, folder, discord, 1);
                JdaPeer jda = JdaPeer.start(other, MESSAGES, folder.resolve("jda.log"));
                GrpcClient client = new GrpcClient(product.endpoint("grpc"), product.token(), 8)) {
            HttpRequest metrics = metrics(product);
            rates(setting, report, new Side(discord), new Side(other), metrics, jda, client);
            answers(setting, report, new Side(discord), client);
        }
        Setting.delete(folder);
    }

    /** Starts the product; this is the session of this number. */
    private static Product start(Setting setting, Path folder, FakeDiscord discord, int session)
            throws IOException, InterruptedException {
        Product product =
                Product.start(
                        setting.dist(),
                        folder,
                        "palyra.sandbox.egress:allowPrivate=127.0.0.1:" + discord.port());
        product.commandWith(discord.token(), "vault", "put", "channel:discord:main/token");
        Path conf = Files.createDirectories(product.state().resolve("conf"));
        Files.writeString(
                conf.resolve("palyra.channels.route~all.json"),
                "{\"connectors\":[\"discord:*\"],\"directMessages\":\"allow\"}");
        Files.writeString(
                conf.resolve("palyra.connectors.discord~main.json"),
                "{\"token\":\"vault:channel:discord:main/token\",\"apiUrl\":\""
                        + discord.restBase()
                        + "\"}");
        discord.gateway().awaitReadies(session);
        return product;
    }

    /** People who write to the bot, each in a conversation of their own. */
    private static final class Side {
        private final FakeDiscord discord;
        private final List<User> people = new ArrayList<>();
        private int said;

        Side(FakeDiscord discord) {
            this.discord = discord;
            for (int i = 0; i < CONVERSATIONS; i++) {
                people.add(discord.user("person" + i));
            }
        }

        private Channel say() {
            User person = people.get(said % people.size());
            Channel channel = discord.dm(person);
            discord.say(person, channel, "hello " + said++);
            return channel;
        }

        /** The connection breaks; what is said meanwhile comes when it is there again. */
        void sayAllAtOnce() {
            discord.goDown();
            discord.gateway().befall(Trouble.DROP);
            for (int i = 0; i < MESSAGES; i++) {
                say();
            }
            discord.comeBack();
        }
    }

    private void rates(
            Setting setting,
            Report report,
            Side side,
            Side jdas,
            HttpRequest metrics,
            JdaPeer jda,
            GrpcClient client)
            throws Exception {
        List<Double> ours = new ArrayList<>();
        List<Double> overGrpc = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        for (int run = -1; run < setting.runs(); run++) {
            double own = taken(side, metrics);
            double accepted = accepted(client, run);
            jdas.sayAllAtOnce();
            double received = perSecond(MESSAGES - 1, jda.number("took"));
            if (run >= 0) {
                ours.add(own);
                overGrpc.add(accepted);
                theirs.add(received);
            }
        }
        Measure durable = new Measure("messages/s", ours);
        report.add(
                new Figure(
                        "discord.messages",
                        durable,
                        "accepted over gRPC",
                        new Measure("messages/s", overGrpc),
                        new Goal.None()));
        report.add(
                new Figure(
                        "discord.messages",
                        durable,
                        "received by JDA and kept nowhere",
                        new Measure("messages/s", theirs),
                        new Goal.None()));
    }

    private static double perSecond(long count, long nanos) {
        return count * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }

    /** From the first that is durable to the last; their runs work at the same time. */
    private double taken(Side side, HttpRequest metrics) throws Exception {
        long before = counted(metrics, TAKEN, "stored");
        side.sayAllAtOnce();
        long first = await(metrics, TAKEN, "stored", before + 1);
        long begun = System.nanoTime();
        await(metrics, TAKEN, "stored", before + MESSAGES);
        double rate = perSecond(before + MESSAGES - first, System.nanoTime() - begun);
        awaitAnswers(side);
        return rate;
    }

    private static void awaitAnswers(Side side) {
        for (User person : side.people) {
            int count = side.said / CONVERSATIONS;
            Channel channel = side.discord.dm(person);
            side.discord
                    .patience(java.time.Duration.ofSeconds(PATIENCE_SECONDS))
                    .awaitPosted(channel, count);
        }
    }

    /** The same number at once, as fast as they are accepted. */
    private static double accepted(GrpcClient client, int run) throws Exception {
        try (GrpcLoad load =
                new GrpcLoad(client, "ask-" + run, CONVERSATIONS, Conversation.plain())) {
            long begun = System.nanoTime();
            load.start(AS_MANY_AS_IT_TAKES, MESSAGES);
            while (load.accepted() < MESSAGES) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            double rate = perSecond(MESSAGES, System.nanoTime() - begun);
            requireFine(load);
            return rate;
        }
    }

    private static void requireFine(GrpcLoad load) throws IOException, InterruptedException {
        if (!load.finish(PATIENCE_SECONDS).isEmpty() || !load.breaches().isEmpty()) {
            throw new IOException("wrong over gRPC: " + load.breaches());
        }
    }

    /** One message after the other: from when it is said to when its answer is posted. */
    private static void answers(Setting setting, Report report, Side side, GrpcClient client)
            throws Exception {
        List<Latencies> ours = new ArrayList<>();
        List<Latencies> theirs = new ArrayList<>();
        Latencies said = new Latencies();
        for (int run = -1; run < setting.runs(); run++) {
            Latencies own = answered(side, said);
            Latencies other = overGrpc(client, run);
            if (run >= 0) {
                ours.add(own);
                theirs.add(other);
            }
        }
        report.fact("discord.say-p50-ms", Measure.number(said.millis(50)));
        for (int percent : new int[] {50, 99}) {
            report.add(
                    new Figure(
                            "discord.answer-p" + percent,
                            millis(ours, percent),
                            "the same agent over gRPC",
                            millis(theirs, percent),
                            new Goal.None()));
        }
    }

    private static Measure millis(List<Latencies> runs, int percent) {
        return new Measure("ms", runs.stream().map(run -> run.millis(percent)).toList());
    }

    /**
     * Asks and waits.
     *
     * @param said takes how long the fake itself needs to write a message and to tell of it
     */
    private static Latencies answered(Side side, Latencies said) throws Exception {
        Latencies latencies = new Latencies();
        for (int i = 0; i < ANSWERS; i++) {
            CompletableFuture<Long> posted = new CompletableFuture<>();
            side.discord.failAll(
                    FakeDiscord.POST,
                    (exchange, act) -> {
                        posted.complete(System.nanoTime());
                        act.run().send(exchange);
                    });
            long begun = System.nanoTime();
            side.say();
            said.add(System.nanoTime() - begun);
            latencies.add(posted.get(PATIENCE_SECONDS, TimeUnit.SECONDS) - begun);
            TimeUnit.MILLISECONDS.sleep(1_000 / A_SECOND);
        }
        side.discord.recover(FakeDiscord.POST);
        awaitAnswers(side);
        return latencies;
    }

    private static Latencies overGrpc(GrpcClient client, int run) throws Exception {
        try (GrpcLoad load =
                new GrpcLoad(client, "one-" + run, CONVERSATIONS, Conversation.plain())) {
            load.start(A_SECOND, 1);
            while (load.ended() < ANSWERS) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            requireFine(load);
            return load.takeTotals();
        }
    }

    /** What is alive after a collection with so many servers, without what is there without. */
    private void guilds(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("discord");
        try (FakeDiscord discord = new FakeDiscord()) {
            double theirs;
            double none;
            try (JdaPeer jda = JdaPeer.start(discord, MESSAGES, folder.resolve("jda.log"))) {
                none = live(jda.pid());
            }
            double ours;
            try (Product product = start(setting, folder, discord, 2)) {
                HttpRequest metrics = metrics(product);
                double before = live(product.pid());
                discord.goDown();
                discord.gateway().forget();
                found(discord);
                long events = counted(metrics, EVENTS, "heard");
                discord.comeBack();
                await(metrics, EVENTS, "heard", events + 1 + GUILDS);
                ours = (live(product.pid()) - before) / GUILDS;
            }
            discord.gateway().forget();
            try (JdaPeer jda = JdaPeer.start(discord, MESSAGES, folder.resolve("jda.log"))) {
                theirs = (live(jda.pid()) - none) / GUILDS;
            }
            report.add(
                    new Figure(
                            "discord.server-memory",
                            new Measure("KiB", List.of(ours / 1_024)),
                            "JDA without members",
                            new Measure("KiB", List.of(theirs / 1_024)),
                            new Goal.None()));
        }
        Setting.delete(folder);
    }

    private static void found(FakeDiscord discord) {
        User owner = discord.user("owner");
        for (int i = 0; i < GUILDS; i++) {
            Guild guild = discord.guild("A server of people, number " + i);
            Channel channel = discord.textChannel(guild, "general");
            for (int j = 1; j < CHANNELS; j++) {
                channel = discord.textChannel(guild, "a-channel-about-subject-" + j);
            }
            for (int j = 0; j < THREADS; j++) {
                discord.thread(owner, channel, "How do I do what was done in thread " + j + "?");
            }
        }
    }

    /** Returns the bytes of all objects that are alive. */
    private static double live(long pid) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process =
                new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher total = Pattern.compile("Total +[0-9]+ +([0-9]+)").matcher(said);
        if (process.waitFor() != 0 || !total.find()) {
            throw new IOException("jcmd: " + said);
        }
        return Double.parseDouble(total.group(1));
    }

    private long await(HttpRequest metrics, String name, String outcome, long least)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            long now = counted(metrics, name, outcome);
            if (now >= least) {
                return now;
            }
            if (System.nanoTime() - end > 0) {
                throw new IOException(name + " is " + now + ", not " + least);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private long counted(HttpRequest metrics, String name, String outcome) throws Exception {
        HttpResponse<String> answer = http.send(metrics, HttpResponse.BodyHandlers.ofString());
        return answer.body()
                .lines()
                .filter(line -> line.startsWith(name) && line.contains("\"" + outcome + "\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static HttpRequest metrics(Product product) throws IOException, InterruptedException {
        return HttpRequest.newBuilder(URI.create(product.endpoint("http") + "/metrics"))
                .header("Authorization", "Bearer " + product.token())
                .build();
    }
}
