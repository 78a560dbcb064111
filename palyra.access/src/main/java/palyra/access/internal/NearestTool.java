package palyra.access.internal;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import palyra.shared.text.Nearest;

/** Finds the tool that a model probably meant. Stateless. */
final class NearestTool {
    /** What tools are called elsewhere, without marks between words, and ours for the same. */
    private static final Map<String, String> ELSEWHERE =
            Map.ofEntries(
                    Map.entry("bash", "shell"),
                    Map.entry("sh", "shell"),
                    Map.entry("zsh", "shell"),
                    Map.entry("cmd", "shell"),
                    Map.entry("exec", "shell"),
                    Map.entry("execcommand", "shell"),
                    Map.entry("executecommand", "shell"),
                    Map.entry("runcommand", "shell"),
                    Map.entry("localshell", "shell"),
                    Map.entry("terminal", "shell"),
                    Map.entry("powershell", "shell"),
                    Map.entry("strreplaceeditor", "edit_file"),
                    Map.entry("strreplacebasededittool", "edit_file"),
                    Map.entry("strreplace", "edit_file"),
                    Map.entry("searchreplace", "edit_file"),
                    Map.entry("edit", "edit_file"),
                    Map.entry("multiedit", "edit_file"),
                    Map.entry("read", "read_file"),
                    Map.entry("view", "read_file"),
                    Map.entry("cat", "read_file"),
                    Map.entry("write", "write_file"),
                    Map.entry("createfile", "write_file"),
                    Map.entry("applypatch", "apply_patch"),
                    Map.entry("ls", "list_dir"),
                    Map.entry("glob", "search"),
                    Map.entry("grep", "search"),
                    Map.entry("webfetch", "fetch"));

    private NearestTool() {}

    /**
     * Returns {@code " (did you mean X?)"}, or an empty text when no tool is near. The last word of
     * a name counts, as models often get the part before it wrong.
     */
    static String hint(String given, Collection<String> tools) {
        String last = given.substring(given.lastIndexOf('.') + 1);
        String plain = last.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        String ours = ELSEWHERE.getOrDefault(plain, last);
        TreeSet<String> sorted = new TreeSet<>(tools); // the same answer each time
        return sorted.stream()
                .filter(name -> name.endsWith("." + last))
                .findFirst()
                .or(() -> sorted.stream().filter(name -> name.endsWith("." + ours)).findFirst())
                .or(() -> Nearest.to(given, sorted))
                .map(name -> " (did you mean " + name + "?)")
                .orElse("");
    }
}
