package palyra.skills.internal.artifact;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.manifest.ManifestReader;

/** Makes artifacts out of folders, and signs them. */
public final class ArtifactBuilder {
    private static final String REASON = "build_failed";

    private ArtifactBuilder() {}

    /**
     * Takes {@code skill.toml}, {@code modules/}, {@code assets/}, {@code sbom.cdx.json} and {@code
     * provenance.json} of a folder; missing ones are written, the integrity list always. Other
     * files stay out.
     *
     * @return an artifact without a signature
     * @throws RefusedException when something does not fit
     */
    public static byte[] build(Path folder) {
        SortedMap<String, byte[]> entries = new TreeMap<>();
        try {
            for (String file : List.of(Paths.MANIFEST, Paths.SBOM, Paths.PROVENANCE)) {
                take(folder.resolve(file), file, entries);
            }
            walk(folder, Paths.MODULES, entries);
            walk(folder, Paths.ASSETS, entries);
        } catch (IOException e) {
            throw new RefusedException(
                    REASON, "The folder " + folder + " cannot be read: " + e.getMessage() + ".", e);
        }
        byte[] toml = entries.get(Paths.MANIFEST);
        if (toml == null) {
            throw new RefusedException(REASON, "skill.toml not found in " + folder + ".");
        }
        Manifest manifest = ManifestReader.read(toml, Artifact.modules(entries));
        if (!manifest.integrity().isEmpty()) {
            throw new RefusedException(
                    REASON, "skill.toml has an [integrity] section; remove it, build writes it.");
        }
        entries.computeIfAbsent(Paths.SBOM, path -> SupplyChainFiles.makeSbom(manifest, entries));
        entries.computeIfAbsent(Paths.PROVENANCE, path -> SupplyChainFiles.makeProvenance(entries));
        entries.put(Paths.MANIFEST, withIntegrity(toml, Artifact.integrity(entries)));
        Artifact.content(entries);
        byte[] file = ZipWriter.write(entries);
        ZipReader.read(file);
        return file;
    }

    private static void walk(Path folder, String below, SortedMap<String, byte[]> entries)
            throws IOException {
        Path root = folder.resolve(below);
        if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(root, new FileVisitOption[0])) {
            files =
                    all.filter(each -> !Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
                            .toList();
        }
        for (Path file : files) {
            String path = folder.relativize(file).toString().replace('\\', '/');
            if (below.equals(Paths.ASSETS) || path.endsWith(".wasm")) {
                take(file, path, entries);
            }
        }
    }

    private static void take(Path file, String path, SortedMap<String, byte[]> entries)
            throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Paths.require(path);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new RefusedException(REASON, path + " is not a regular file; links are refused.");
        }
        if (Files.size(file) > ArtifactLimits.MAX_ENTRY_BYTES
                || entries.size() >= ArtifactLimits.MAX_ENTRIES) {
            throw new RefusedException(
                    "artifact_too_large",
                    path + " does not fit: 256 files of at most 16 MiB each are taken.");
        }
        entries.put(path, Files.readAllBytes(file));
    }

    private static byte[] withIntegrity(byte[] toml, Map<String, String> digests) {
        StringBuilder text = new StringBuilder(new String(toml, StandardCharsets.UTF_8));
        if (text.length() > 0 && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
        digests.forEach(
                (path, digest) ->
                        text.append("\n[[integrity.files]]\npath = \"")
                                .append(path.replace("\"", "\\\""))
                                .append("\"\nsha256 = \"")
                                .append(digest)
                                .append("\"\n"));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the artifact with a signature; one that is there is replaced. */
    public static byte[] sign(byte[] file, SkillKey key, long atMillis) {
        SortedMap<String, byte[]> entries = new TreeMap<>(ZipReader.read(file));
        Manifest manifest = Artifact.content(entries);
        entries.put(
                Paths.SIGNATURE, SkillSignature.sign(entries, manifest.publisher(), key, atMillis));
        return ZipWriter.write(entries);
    }
}
