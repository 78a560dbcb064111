package palyra.skills.internal.audit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds text that tells a person or an agent to download and run something, or to run content
 * hidden in base64. Every pattern is short and bounded and two that belong together are matched one
 * after the other, so that reading takes linear time for every text.
 */
final class SuspiciousText {
    private static final int SHOWN = 80;

    /** Largest distance of two parts, in characters of one line. */
    private static final int GAP = 300;

    private static final String SHELL =
            "(?:sudo\\s{1,5}(?:-\\S{1,10}\\s{1,5})?)?(?:/\\S{0,40}/)?"
                    + "(?:(?:ba|z|da|k|a|fi)?sh|python[0-9.]{0,5}|perl|ruby|node|php)\\b";
    private static final String NAMED_SHELL =
            "\\b(?:(?:ba|z|da|k|a|fi)?sh|python[0-9.]{0,5}|perl|ruby)";
    private static final String INTO_SHELL = "\\|\\s{0,10}" + SHELL;
    private static final String FETCH = "\\b(?:curl|wget|aria2c|lwp-download)\\b";
    private static final String WEB =
            "(?:downloadstring|downloadfile|invoke-webrequest|\\biwr\\b|\\birm\\b"
                    + "|invoke-restmethod|net\\.webclient)";
    private static final String RUN = "(?:\\biex\\b|invoke-expression)";
    private static final List<String> FETCHERS = List.of("curl", "wget", "aria2c", "lwp-download");
    private static final List<String> RUNNERS = List.of("iex", "invoke-expression");

    /**
     * A pattern: {@code first}, then on the same line {@code second} unless that is null.
     *
     * @param literals one of these, in lower case, is in every text that fits
     */
    private record Shape(String name, List<String> literals, Pattern first, Pattern second) {
        static Shape one(String name, List<String> literals, String pattern) {
            return new Shape(name, literals, compiled(pattern), null);
        }

        static Shape two(String name, List<String> literals, String first, String second) {
            return new Shape(name, literals, compiled(first), compiled(second));
        }

        private static Pattern compiled(String pattern) {
            return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
        }

        boolean possible(String lower) {
            return literals.stream().anyMatch(lower::contains);
        }

        /** Returns where it begins; -1 for nowhere. */
        int find(String text) {
            Matcher begin = first.matcher(text);
            if (second == null) {
                return begin.find() ? begin.start() : -1;
            }
            Matcher end = second.matcher(text);
            int start = -1;
            int after = 0;
            boolean more = begin.find();
            while (end.find()) {
                while (more && begin.end() <= end.start()) { // the nearest one is the best one
                    start = begin.start();
                    after = begin.end();
                    more = begin.find();
                }
                if (start >= 0
                        && end.start() - after <= GAP
                        && text.substring(after, end.start()).indexOf('\n') < 0) {
                    return start;
                }
            }
            return -1;
        }
    }

    private static final List<Shape> SHAPES =
            List.of(
                    Shape.two(
                            "a download that is piped into an interpreter",
                            FETCHERS,
                            FETCH,
                            INTO_SHELL),
                    Shape.one(
                            "an interpreter that is given a download",
                            FETCHERS,
                            NAMED_SHELL
                                    + "\\s{0,5}(?:-\\w{1,5}\\s{1,5})?[\"']?(?:<\\s{0,3}\\(|\\$\\(|`)"
                                    + "\\s{0,5}"
                                    + FETCH),
                    Shape.one(
                            "a download that is evaluated",
                            FETCHERS,
                            "\\b(?:eval|source|exec)\\b\\s{0,5}[\"'(<]{0,3}\\s{0,3}(?:\\$\\(|`|\\()"
                                    + "\\s{0,5}"
                                    + FETCH),
                    Shape.two(
                            "a download that is made executable or run at once",
                            FETCHERS,
                            FETCH,
                            "(?:&&|;|\\n)\\s{0,10}(?:sudo\\s{1,5})?"
                                    + "(?:chmod\\s{1,5}(?:[ugoa]{0,3}\\+x|[0-7]{0,3}[157])\\b"
                                    + "|(?:ba|z|da)?sh\\s{1,5}\\S|\\./\\S)"),
                    Shape.two("a PowerShell download that is run", RUNNERS, RUN, WEB),
                    Shape.two(
                            "a PowerShell download that is run",
                            RUNNERS,
                            WEB,
                            "\\|\\s{0,10}" + RUN),
                    Shape.two(
                            "an encoded PowerShell command",
                            List.of("powershell", "pwsh"),
                            "\\b(?:powershell|pwsh)(?:\\.exe)?\\b",
                            "\\s-e(?:nc?|nco[a-z]{0,12})?\\s{1,5}[A-Za-z0-9+/=]{20}"),
                    Shape.two(
                            "base64 that is decoded into an interpreter",
                            List.of("base64"),
                            "\\bbase64\\s{1,5}(?:-d|--decode)\\b",
                            INTO_SHELL),
                    Shape.two(
                            "base64 that is decoded into an interpreter",
                            List.of("openssl"),
                            "\\bopenssl\\s{1,5}(?:enc|base64)\\b",
                            INTO_SHELL),
                    Shape.one(
                            "base64 or a download that is decoded into code",
                            List.of("exec", "eval"),
                            "\\b(?:exec|eval)\\s{0,3}\\(\\s{0,3}(?:__import__\\(.base64.\\)|base64\\."
                                    + "|atob\\(|requests\\.get\\b|urllib\\.request\\b|urlopen\\b)"),
                    Shape.two(
                            "a Windows tool that downloads",
                            List.of("certutil", "bitsadmin"),
                            "\\b(?:certutil|bitsadmin)(?:\\.exe)?\\s",
                            "-urlcache\\b|/transfer\\b"),
                    Shape.two(
                            "a Windows tool that runs content from the web",
                            List.of("mshta", "regsvr32", "rundll32"),
                            "\\b(?:mshta|regsvr32|rundll32)(?:\\.exe)?\\s",
                            "/i:https?:|javascript:|(?<=\\s)[\"']?https?:"),
                    Shape.one(
                            "a text that wants to overrule the agent's instructions",
                            List.of("ignore", "disregard", "forget"),
                            "\\b(?:ignore|disregard|forget)\\s{1,5}"
                                    + "(?:all\\s{1,5}|any\\s{1,5}|the\\s{1,5}|your\\s{1,5}){0,3}"
                                    + "(?:previous|prior|above|earlier|system)\\s{1,5}"
                                    + "(?:instructions?|prompts?|rules)"));

    private SuspiciousText() {}

    /** Returns what was found, with the beginning of the text; empty when nothing was. */
    static Optional<String> find(String text) {
        String joined = text.replaceAll("\\\\\\r?\\n", " ");
        String lower = joined.toLowerCase(Locale.ROOT);
        for (Shape shape : SHAPES) {
            int at = shape.possible(lower) ? shape.find(joined) : -1;
            if (at >= 0) {
                String found = joined.substring(at, Math.min(joined.length(), at + SHOWN));
                return Optional.of(
                        shape.name() + ": '" + found.replaceAll("[^\\x20-\\x7e]+", " ") + "'");
            }
        }
        return Optional.empty();
    }
}
