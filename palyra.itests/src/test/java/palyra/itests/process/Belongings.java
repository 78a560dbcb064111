package palyra.itests.process;

import static java.nio.charset.StandardCharsets.UTF_8;

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

/**
 * What a process holds at one moment: class loaders of bundles that are reachable, threads by name,
 * open descriptors by sort.
 */
record Belongings(long loaders, Map<String, Integer> threads, Map<String, Integer> descriptors) {
    private static final String LOADER =
            "org.apache.felix.framework.BundleWiringImpl$BundleClassLoader";
    private static final Pattern THREAD = Pattern.compile("^\"([^\"]+)\" ");
    private static final Pattern ROW = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+(\\S+).*");

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
                count(jcmd(pid, "GC.class_histogram")),
                names(jcmd(pid, "Thread.print")),
                descriptors(pid));
    }

    private static long count(String histogram) {
        return histogram
                .lines()
                .map(ROW::matcher)
                .filter(row -> row.matches() && row.group(2).equals(LOADER))
                .mapToLong(row -> Long.parseLong(row.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no loader in:\n" + histogram));
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

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(pid),
                                command)
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError("jcmd " + command + " failed: " + said);
        }
        return said;
    }

    /**
     * Returns what there is more of than {@code before}, one line each. Of threads and descriptors
     * of one sort one or two more may be on their way.
     */
    List<String> moreThan(Belongings before) {
        List<String> more = new ArrayList<>();
        if (loaders > before.loaders) {
            more.add(loaders + " class loaders of bundles, " + before.loaders + " before");
        }
        threads.forEach((name, count) -> add(more, "threads " + name, count, before.threads, name));
        descriptors.forEach(
                (name, count) ->
                        add(more, "descriptors of " + name, count, before.descriptors, name));
        return more;
    }

    private static void add(
            List<String> more, String what, int now, Map<String, Integer> before, String name) {
        int then = before.getOrDefault(name, 0);
        if (now > then + 2) {
            more.add(now + " " + what + ", " + then + " before");
        }
    }
}
