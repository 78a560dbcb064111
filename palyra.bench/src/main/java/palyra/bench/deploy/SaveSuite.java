package palyra.bench.deploy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.grpc.Product;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * The inner loop of who writes a bundle: from the save of a source until {@code palyra dev watch}
 * says that the change is at work, beside the build alone by a build tool that is started for it.
 * The first build fetches its libraries.
 */
public final class SaveSuite implements Suite {
    private static final int WARMING = 3;
    private static final long LOOK_MILLIS = 10;
    private static final long PATIENCE_SECONDS = 300;
    private static final double GOAL_MILLIS = 5_000;
    private static final String QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
    private static final String LIVE = "deployed in";

    @Override
    public String name() {
        return "dev";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("dev");
        try (Product product = Product.start(setting.dist(), folder)) {
            product.startCommand(
                            folder,
                            folder.resolve("log"),
                            "dev",
                            "init",
                            "tool",
                            "org.example.words")
                    .waitFor();
            Path maven = folder.resolve("org.example.words");
            Path words = maven.resolve("src/main/java/org/example/words/internal/WordsTool.java");
            List<Double> ours = saves(product, maven, words, setting.runs());
            String[] build = {"./mvnw", "-B", "-q", "-ntp", "-o", "-Dmaven.test.skip=true"};
            List<Double> theirs = new ArrayList<>();
            for (int run = 0; run < setting.runs(); run++) {
                save(words);
                theirs.add(millis(maven, command(build, "package")));
            }
            report.add(figure("maven", ours, "Maven begun for the build alone", theirs));
            report.add(bnd(product, folder, setting.runs()));
        }
        Setting.delete(folder);
    }

    private static Figure bnd(Product product, Path folder, int runs) throws Exception {
        Path workspace = Files.createDirectory(folder.resolve("workspace"));
        String[] init = {"dev", "init", "--layout", "bnd", "tool", "org.example.tally"};
        product.startCommand(workspace, folder.resolve("log"), init).waitFor();
        Path project = workspace.resolve("org.example.tally");
        Path source = project.resolve("src/org/example/tally/internal/TallyTool.java");
        List<Double> ours = saves(product, project, source, runs);
        Path bnd;
        try (var jars = Files.newDirectoryStream(workspace.resolve("cnf/cache/palyra"), "*.jar")) {
            bnd = jars.iterator().next();
        }
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        String[] start = {java, "-jar", bnd.toString()};
        List<Double> theirs = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            save(source);
            theirs.add(
                    millis(project, command(start, "compile"))
                            + millis(project, command(start, "build")));
        }
        return figure("bnd", ours, "bnd begun to compile and to pack alone", theirs);
    }

    private static List<Double> saves(Product product, Path project, Path source, int runs)
            throws IOException, InterruptedException {
        Path log = project.resolveSibling("watch.log");
        List<Double> millis = new ArrayList<>();
        Process watch = product.startCommand(project, log, "dev", "watch");
        try {
            await(watch, log, 1);
            for (int save = 1; save <= WARMING + runs; save++) {
                long begin = System.nanoTime();
                save(source);
                await(watch, log, save + 1);
                if (save > WARMING) {
                    millis.add((System.nanoTime() - begin) / 1e6);
                }
            }
        } finally {
            watch.destroy();
            watch.waitFor();
        }
        return millis;
    }

    /** Writes another text, which does the same. */
    private static void save(Path source) throws IOException {
        Files.writeString(source, Files.readString(source).replace("\"words\", ", "\"words\",  "));
    }

    private static void await(Process watch, Path log, int count)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (Files.readString(log).split(LIVE, -1).length <= count) {
            if (!watch.isAlive() || System.nanoTime() - end > 0) {
                throw new IOException("no deployment " + count + ": " + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static List<String> command(String[] start, String word) {
        List<String> command = new ArrayList<>(List.of(start));
        command.add(word);
        return command;
    }

    private static double millis(Path folder, List<String> command)
            throws IOException, InterruptedException {
        File log = folder.resolveSibling("build.log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // As palyra dev build starts it.
        builder.environment().merge("MAVEN_OPTS", QUICK, (options, first) -> first + " " + options);
        builder.environment().put("JAVA_TOOL_OPTIONS", QUICK);
        builder.environment()
                .merge(
                        "PATH",
                        System.getProperty("java.home") + "/bin",
                        (path, first) -> first + ":" + path);
        long begin = System.nanoTime();
        Process build = builder.redirectErrorStream(true).redirectOutput(log).start();
        if (build.waitFor() != 0) {
            throw new IOException(command + " failed: " + Files.readString(log.toPath()));
        }
        return (System.nanoTime() - begin) / 1e6;
    }

    private static Figure figure(String name, List<Double> ours, String peer, List<Double> theirs) {
        return new Figure(
                "dev-" + name,
                new Measure("ms", ours),
                peer,
                new Measure("ms", theirs),
                new Goal.AtMost(GOAL_MILLIS));
    }
}
