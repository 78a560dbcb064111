package palyra.sandbox.internal.git;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Files of options by which git goes on with what it has not finished: a rebase, picks, mails. What
 * git itself writes there is allowed; an option that is unknown here, or a value of another form,
 * might start a program or lead outside. Pure.
 */
final class GitOptions {
    private static final String OPTIONS = "opts";
    private static final String STRATEGY = "strategy";
    private static final String AUTHOR = "author-script";
    private static final String APPLY = "apply-opt";

    /** Names of these files by folder of a repository. */
    static final Map<String, List<String>> FILES =
            Map.of(
                    "rebase-merge", List.of(STRATEGY, OPTIONS, AUTHOR),
                    "sequencer", List.of(STRATEGY, OPTIONS),
                    "rebase-apply", List.of(STRATEGY, AUTHOR, APPLY));

    private static final Set<String> BUILT_IN =
            Set.of("recursive", "ort", "resolve", "octopus", "ours", "subtree");

    private static final Set<String> SWITCHES =
            Set.of(
                    "no-commit",
                    "edit",
                    "allow-empty",
                    "allow-empty-message",
                    "drop-redundant-commits",
                    "keep-redundant-commits",
                    "signoff",
                    "record-origin",
                    "allow-ff",
                    "allow-rerere-auto");

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9=%._-]*");
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9@. _+-]*");

    /**
     * Quoted as git quotes for a shell, so that one that reads it as a script reads names alone.
     */
    private static final Pattern NAMES =
            Pattern.compile(
                    "(?:GIT_AUTHOR_(?:NAME|EMAIL|DATE)='[^'\\x00]*+(?:'\\\\['!]'[^'\\x00]*+)*+'\n?)*+");

    /** Options of git am that it hands on; others let a patch write outside of the work tree. */
    private static final Pattern HANDED_ON =
            Pattern.compile(
                    "\\s*(?:'(?:-[pC][0-9]{1,4}|--whitespace=[a-z-]+|--reject|--ignore-whitespace"
                            + "|--ignore-space-change|--(?:directory|exclude|include)="
                            + "(?![/.])(?![^']*\\.\\.)[A-Za-z0-9_./*-]+)'\\s*)*");

    private GitOptions() {}

    /** Returns whether a file holds only what git writes and what starts nothing. */
    static boolean areGitsOwn(String name, GitFile file) {
        if (!file.isFile() || file.shared()) {
            return false;
        }
        String text = file.text();
        return switch (name) {
            case STRATEGY -> BUILT_IN.contains(text.strip());
            case AUTHOR -> NAMES.matcher(text).matches();
            case APPLY -> HANDED_ON.matcher(text).matches();
            default -> areKnown(GitConfig.read(text));
        };
    }

    private static boolean areKnown(Optional<GitConfig> options) {
        return options.isPresent()
                && options.get().entries().stream().allMatch(GitOptions::isKnown);
    }

    private static boolean isKnown(GitConfig.Entry entry) {
        if (!entry.section().equals("options") || entry.subsection() != null) {
            return false;
        }
        String value = entry.value() == null ? "true" : entry.value();
        return switch (entry.key()) {
            case STRATEGY -> BUILT_IN.contains(value);
            case "mainline" -> value.matches("[0-9]{1,9}");
            case "strategy-option", "default-msg-cleanup" -> WORD.matcher(value).matches();
            case "gpg-sign" -> value.isEmpty() || KEY.matcher(value).matches();
            default ->
                    SWITCHES.contains(entry.key())
                            && (value.equals("true") || value.equals("false"));
        };
    }
}
