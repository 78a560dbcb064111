package palyra.sandbox.internal.git;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The repositories and protected names of a workspace at one time.
 *
 * @param folders folders of git, relative to the workspace, with what identifies each
 * @param files what programs outside obey or run, and what says where they look for it, by path
 *     relative to the workspace
 * @param inner what git itself makes nowhere among its files, see {@link GitInner}, by path
 * @param links links that lead to where nothing may lead, by path, with where
 * @param absent protected names at which nothing was
 * @param bounded whether not all of the workspace was looked at
 * @param cut why not all of git's own files were looked at, as a clause; empty when all were. Such
 *     a look is never recorded
 */
record GitSnapshot(
        Map<String, String> folders,
        Map<String, GitFile> files,
        Map<String, GitFile> inner,
        Map<String, String> links,
        Set<String> absent,
        boolean bounded,
        String cut) {
    private static final int FORMAT = 2;

    /** Copies. */
    GitSnapshot {
        folders = Map.copyOf(folders);
        files = Map.copyOf(files);
        inner = Map.copyOf(inner);
        links = Map.copyOf(links);
        absent = Set.copyOf(absent);
    }

    /** Returns it with those of the absent names alone that are among some. */
    GitSnapshot withAbsent(Collection<String> names) {
        Set<String> left =
                absent.stream().filter(names::contains).collect(Collectors.toUnmodifiableSet());
        return new GitSnapshot(folders, files, inner, links, left, bounded, cut);
    }

    GitFile file(String path) {
        return files.getOrDefault(path, GitFile.ABSENT);
    }

    /** Returns it as JSON. */
    String json(String workspace) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("format", FORMAT);
        node.put("workspace", workspace);
        node.put("bounded", bounded);
        ObjectNode all = node.putObject("folders");
        new TreeMap<>(folders).forEach(all::put);
        ArrayNode names = node.putArray("absent");
        new TreeSet<>(absent).forEach(names::add);
        put(files, node.putObject("files"));
        put(inner, node.putObject("inner"));
        return Jcs.text(node);
    }

    private static void put(Map<String, GitFile> files, ObjectNode kept) {
        new TreeMap<>(files)
                .forEach(
                        (path, file) -> {
                            ObjectNode one = kept.putObject(path);
                            one.put("kind", file.kind().name());
                            one.put("content", Base64.getEncoder().encodeToString(file.content()));
                            one.put("executable", file.executable());
                            one.put("shared", file.shared());
                            one.put("place", file.place());
                        });
    }

    /** Reads the snapshot of a workspace; IOException when the text is not a record of it. */
    static GitSnapshot read(String json, String workspace) throws IOException {
        try {
            JsonNode node = StrictJson.parse(json, "a record of repositories");
            if (node.path("format").asInt() != FORMAT
                    || !node.path("workspace").asText().equals(workspace)) {
                throw new IOException("it is of another format or workspace");
            }
            Map<String, String> folders = new TreeMap<>();
            for (Map.Entry<String, JsonNode> one : node.path("folders").properties()) {
                folders.put(one.getKey(), one.getValue().asText());
            }
            Set<String> absent = new TreeSet<>();
            node.path("absent").forEach(name -> absent.add(name.asText()));
            return new GitSnapshot(
                    folders,
                    files(node.path("files")),
                    files(node.path("inner")),
                    Map.of(),
                    absent,
                    node.path("bounded").asBoolean(),
                    "");
        } catch (RuntimeException e) {
            throw new IOException("it cannot be read: " + e.getMessage(), e);
        }
    }

    private static Map<String, GitFile> files(JsonNode all) {
        Map<String, GitFile> files = new TreeMap<>();
        for (Map.Entry<String, JsonNode> one : all.properties()) {
            JsonNode file = one.getValue();
            files.put(
                    one.getKey(),
                    new GitFile(
                            GitFile.Kind.valueOf(file.path("kind").asText()),
                            Base64.getDecoder().decode(file.path("content").asText()),
                            file.path("executable").asBoolean(),
                            file.path("shared").asBoolean(),
                            file.path("place").asText()));
        }
        return files;
    }

    /** Returns the workspace that a record is of; IOException when the text is not a record. */
    static String workspaceOf(String json) throws IOException {
        try {
            return StrictJson.parse(json, "a record of repositories").path("workspace").asText();
        } catch (RuntimeException e) {
            throw new IOException("it cannot be read: " + e.getMessage(), e);
        }
    }
}
