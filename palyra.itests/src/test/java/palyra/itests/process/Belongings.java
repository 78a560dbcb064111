package palyra.itests.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import palyra.itests.Dist;

/**
 * What a process holds at one moment: reachable class loaders by the bundle, threads by name, open
 * descriptors by sort.
 */
record Belongings(
        Map<String, Integer> loaders,
        Map<String, Integer> threads,
        Map<String, Integer> descriptors) {
    private static final BundleLoaders SHIPPED = new BundleLoaders(Dist.bundles());
    private static final Pattern THREAD = Pattern.compile("^\"([^\"]+)\" ");

    /** Threads that the JVM itself makes and ends as it likes, and one bounded pool. */
    private static final Pattern JVMS_OWN =
            Pattern.compile(
                    "C[12] CompilerThread.*|.*CompilerThread.*|ForkJoinPool.*|Attach Listener"
                            + "|VirtualThread-unparker.*|process reaper.*|GC .*|VM .*|Sweeper.*"
                            + "|Notification Thread|Common-Cleaner|Read-Poller.*|Write-Poller.*"
                            // Of the launcher's class path, one pool of four that fills as it
                            // works.
                            + "|logback-[1-4]");

    /** Looks, after a collection. */
    static Belongings of(long pid) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        return new Belongings(
                SHIPPED.count(jcmd(pid, "VM.classloaders", "show-classes")),
                names(jcmd(pid, "Thread.print")),
                descriptors(pid));
    }

    private static Map<String, Integer> names(String dump) {
        Map<String, Integer> names = new TreeMap<>();
        dump.lines()
                .map(THREAD::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .filter(name -> !JVMS_OWN.matcher(name).matches())
                .forEach(name -> names.merge(sort(name), 1, Integer::sum));
        return names;
    }

    /** Returns a name without what counts or identifies. */
    private static String sort(String name) {
        return name.replaceAll("[0-9A-HJKMNP-TV-Z]{26}", "*").replaceAll("[0-9]+", "#");
    }

    private static Map<String, Integer> descriptors(long pid) throws IOException {
        Map<String, Integer> sorts = new TreeMap<>();
        try (Stream<Path> links = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path link : (Iterable<Path>) links::iterator) {
                try {
                    String target = Files.readSymbolicLink(link).toString();
                    sorts.merge(
                            target.replaceAll("\\[[0-9]+\\]", "").replaceAll("[0-9]+", "#"),
                            1,
                            Integer::sum);
                } catch (IOException e) {
                    // It was closed between the listing and the look.
                }
            }
        }
        return sorts;
    }

    /** Reads a file and not a pipe: a process that looks at itself stands still meanwhile. */
    private static String jcmd(long pid, String... request)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        command.add(Long.toString(pid));
        command.addAll(List.of(request));
        Path said = Files.createTempFile("jcmd", ".txt");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(said.toFile())
                            .start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new AssertionError(command + " failed: " + Files.readString(said));
            }
            return Files.readString(said);
        } finally {
            Files.delete(said);
        }
    }

    /**
     * Returns what there is more of than {@code before}, one line each. A bundle that is used for
     * the first time has one loader, which is no more than it should have; of threads and
     * descriptors of one sort one or two more may be on their way.
     */
    List<String> moreThan(Belongings before) {
        List<String> more = new ArrayList<>();
        loaders.forEach(
                (bundle, count) -> {
                    int then = Math.max(1, before.loaders.getOrDefault(bundle, 0));
                    add(more, "class loaders of " + bundle, count, then);
                });
        threads.forEach(
                (name, count) ->
                        add(more, "threads " + name, count, withTwo(before.threads, name)));
        descriptors.forEach(
                (name, count) ->
                        add(
                                more,
                                "descriptors of " + name,
                                count,
                                withTwo(before.descriptors, name)));
        return more;
    }

    private static int withTwo(Map<String, Integer> before, String name) {
        return before.getOrDefault(name, 0) + 2;
    }

    private static void add(List<String> more, String what, int now, int allowed) {
        if (now > allowed) {
            more.add(now + " " + what + ", where " + allowed + " may be");
        }
    }

    /** Returns how many class loaders of bundles there are. */
    int allLoaders() {
        return loaders.values().stream().mapToInt(Integer::intValue).sum();
    }
}
