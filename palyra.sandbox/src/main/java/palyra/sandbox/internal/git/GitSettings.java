package palyra.sandbox.internal.git;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which settings of a repository make git run no program, read no other settings and reach nothing
 * but what is named. All others are guarded: git knows many that run what they name, and new
 * versions bring more. Pure.
 */
final class GitSettings {
    /** Any value will do. */
    private static final Map<String, Set<String>> PLAIN =
            Map.ofEntries(
                    Map.entry(
                            "core",
                            words(
                                    "repositoryformatversion filemode bare logallrefupdates"
                                            + " ignorecase precomposeunicode symlinks autocrlf eol"
                                            + " safecrlf quotepath abbrev compression whitespace"
                                            + " commentchar bigfilethreshold sparsecheckout"
                                            + " sparsecheckoutcone trustctime checkstat"
                                            + " untrackedcache preloadindex longpaths")),
                    Map.entry("user", words("name email useconfigonly")),
                    Map.entry("author", words("name email")),
                    Map.entry("committer", words("name email")),
                    Map.entry("init", words("defaultbranch")),
                    Map.entry("branch", words("autosetupmerge autosetuprebase sort")),
                    Map.entry("pull", words("rebase ff")),
                    Map.entry(
                            "push", words("default followtags autosetupremote recursesubmodules")),
                    Map.entry("fetch", words("prune prunetags parallel recursesubmodules output")),
                    Map.entry("rebase", words("autosquash autostash updaterefs stat backend")),
                    Map.entry(
                            "merge",
                            words("conflictstyle ff renames renamelimit stat log autostash")),
                    Map.entry(
                            "diff",
                            words(
                                    "algorithm renames renamelimit context interhunkcontext"
                                            + " colormoved colormovedws noprefix mnemonicprefix"
                                            + " submodule ignoresubmodules indentheuristic"
                                            + " relative wserrorhighlight")),
                    Map.entry("status", words("short branch showuntrackedfiles relativepaths")),
                    Map.entry("log", words("date decorate follow abbrevcommit showroot mailmap")),
                    Map.entry("tag", words("sort gpgsign")),
                    Map.entry("commit", words("status verbose cleanup gpgsign")),
                    Map.entry("grep", words("linenumber column fullname patterntype threads")),
                    Map.entry("rerere", words("enabled autoupdate")),
                    Map.entry("index", words("version threads sparse")),
                    Map.entry("feature", words("manyfiles experimental")),
                    Map.entry(
                            "gc",
                            words(
                                    "auto autodetach autopacklimit packrefs pruneexpire"
                                            + " worktreepruneexpire reflogexpire"
                                            + " reflogexpireunreachable writecommitgraph")),
                    Map.entry("pack", words("threads window windowmemory depth compression")),
                    Map.entry("maintenance", words("auto strategy")),
                    Map.entry("worktree", words("guessremote userelativepaths")),
                    Map.entry("checkout", words("defaultremote guess workers")),
                    Map.entry("submodule", words("active recurse fetchjobs")),
                    Map.entry("i18n", words("commitencoding logoutputencoding")),
                    Map.entry("lfs", words("repositoryformatversion")),
                    Map.entry(
                            "extensions",
                            words(
                                    "objectformat compatobjectformat refstorage worktreeconfig"
                                            + " partialclone noop relativeworktrees")));

    /** With a sub-section; any value will do. */
    private static final Map<String, Set<String>> NAMED =
            Map.of(
                    "remote",
                    words(
                            "fetch push tagopt prune prunetags mirror skipdefaultupdate"
                                    + " skipfetchall promisor partialclonefilter gh-resolved"),
                    "branch",
                    words("merge rebase description vscode-merge-base gh-merge-base"),
                    "submodule",
                    words("active path branch ignore shallow fetchrecursesubmodules"),
                    "maintenance",
                    words("enabled schedule"));

    /** Whole sections, in which git looks for colours and switches alone. */
    private static final Set<String> SECTIONS = Set.of("color", "advice", "column");

    /** Commands of git that an alias may stand for. */
    private static final Set<String> ALIASED =
            words("status log show branch diff checkout switch restore commit add stash tag");

    /** What may follow them: names, and options that start nothing. */
    private static final Pattern ALIAS_WORD =
            Pattern.compile(
                    "[A-Za-z0-9][A-Za-z0-9./_@^~-]*"
                            + "|-[abdmpsv]{1,2}|-[0-9]+|-vv|--"
                            + "|--(?:oneline|graph|all|decorate|short|branch|amend|no-edit|cached"
                            + "|staged|stat|name-only|name-status|patch|abbrev-commit|verbose)");

    private static final Set<String> NO = Set.of("false", "no", "off", "0");
    private static final Set<String> UPDATES = Set.of("checkout", "rebase", "merge", "none");
    private static final int LONGEST = 4_096;

    /** Schemes that git itself speaks; {@code ext::} and its like start programs. */
    private static final Pattern URL =
            Pattern.compile(
                    "(?i)(?:https?|ssh|git|git\\+ssh|ssh\\+git)://(?!-)(?![^/@]*@-)[!-~]+"
                            + "|file:///[ -$&-~]+");

    private static final String FILE = "file://";

    private static final Pattern HOST_AND_PATH =
            Pattern.compile(
                    "(?:[A-Za-z0-9_][A-Za-z0-9_.+-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?!:|-|//)[!-~]+");

    private static final Pattern FOLDER = Pattern.compile("[A-Za-z0-9_./][^:\\p{Cntrl}]*");

    private GitSettings() {}

    private static Set<String> words(String words) {
        return Set.of(words.split(" "));
    }

    /**
     * Whether an entry can be left as a command made it.
     *
     * @param depth how many folders are between the workspace and the file
     */
    static boolean isPlain(GitConfig.Entry entry, int depth) {
        if (entry.value() != null
                && (entry.value().length() > LONGEST
                        || (hasControls(entry.value()) && !entry.key().equals("description")))) {
            return false;
        }
        if (SECTIONS.contains(entry.section())) {
            return true;
        }
        boolean named = entry.subsection() != null;
        return (named ? NAMED : PLAIN).getOrDefault(entry.section(), Set.of()).contains(entry.key())
                || isPlainByValue(entry, named, depth);
    }

    /** Git copies names into files of many lines. */
    private static boolean hasControls(String value) {
        return value.chars().anyMatch(c -> c != '\t' && Character.isISOControl(c) && c < 0x80);
    }

    private static boolean isPlainByValue(GitConfig.Entry entry, boolean named, int depth) {
        String value = entry.value() == null ? "true" : entry.value();
        String name = entry.section() + (named ? ".*." : ".") + entry.key();
        return switch (name) {
            case "core.fsmonitor" -> NO.contains(value.toLowerCase(Locale.ROOT));
            case "remote.*.url",
                    "remote.*.pushurl",
                    "submodule.*.url",
                    "branch.*.remote",
                    "branch.*.pushremote" ->
                    isUrl(value);
            case "submodule.*.update" -> UPDATES.contains(value);
            case "core.worktree" -> isBeneath(value, depth);
            case "user.signingkey" -> !value.startsWith("-");
            case "url.*.insteadof", "url.*.pushinsteadof" -> isOfAHost(entry.subsection());
            default -> entry.section().equals("alias") && !named && isPlainAlias(value);
        };
    }

    private static boolean isPlainAlias(String value) {
        String[] words = value.strip().split("\\s+", -1);
        return ALIASED.contains(words[0])
                && Stream.of(words).skip(1).allMatch(word -> ALIAS_WORD.matcher(word).matches());
    }

    private static boolean isUrl(String value) {
        return URL.matcher(value).matches()
                || HOST_AND_PATH.matcher(value).matches()
                || FOLDER.matcher(value).matches();
    }

    /** What git puts another text after must not become a path. */
    private static boolean isOfAHost(String value) {
        return !value.toLowerCase(Locale.ROOT).startsWith(FILE)
                && (URL.matcher(value).matches() || HOST_AND_PATH.matcher(value).matches());
    }

    /** Returns the text by which a setting may name a repository in a folder; empty for none. */
    static Optional<String> location(GitConfig.Entry entry) {
        String name = entry.section() + (entry.subsection() == null ? "." : ".*.") + entry.key();
        String text =
                switch (name) {
                    case "remote.*.url",
                            "remote.*.pushurl",
                            "remote.pushdefault",
                            "submodule.*.url",
                            "branch.*.remote",
                            "branch.*.pushremote" ->
                            entry.value();
                    case "url.*.insteadof", "url.*.pushinsteadof" -> entry.subsection();
                    default -> null;
                };
        return Optional.ofNullable(text)
                .filter(one -> !isOfAHost(one))
                .map(one -> one.startsWith(FILE) ? one.substring(FILE.length()) : one);
    }

    /** A sub-module names its files by a way up out of the folder of git, and down again. */
    private static boolean isBeneath(String value, int depth) {
        int ups = 0;
        while (value.startsWith("../", 3 * ups)) {
            ups++;
        }
        String rest = value.substring(3 * ups);
        return ups <= depth
                && rest.matches("[A-Za-z0-9_][A-Za-z0-9_./-]*")
                && !rest.contains("..")
                && !rest.toLowerCase(Locale.ROOT).contains(".git");
    }
}
