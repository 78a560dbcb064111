package palyra.skills.internal.artifact;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import palyra.shared.hash.Digests;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.manifest.ManifestReader;
import palyra.skills.internal.model.LoadedSkill;

/**
 * An artifact that is whole in itself: format, paths, limits, manifest, integrity list,
 * supply-chain files and signature match. Trust in the key is checked elsewhere.
 *
 * @param manifest what it says of itself
 * @param signature who signed it
 * @param sha256 digest of the file
 * @param bytes length of the file
 * @param entries contents by path; unmodifiable, contents not copied
 */
public record Artifact(
        Manifest manifest,
        SkillSignature signature,
        String sha256,
        int bytes,
        SortedMap<String, byte[]> entries) {
    /** Wraps. */
    public Artifact {
        entries = Collections.unmodifiableSortedMap(entries);
    }

    /**
     * Reads and checks an artifact.
     *
     * @throws RefusedException with the reason code of the first thing that is wrong
     */
    public static Artifact verify(byte[] file) {
        SortedMap<String, byte[]> entries = ZipReader.read(file);
        Manifest manifest = content(entries);
        SkillSignature signature = SkillSignature.verify(entries);
        if (!signature.publisher().equals(manifest.publisher())) {
            throw new RefusedException(
                    "publisher_mismatch",
                    "The artifact is signed for '"
                            + signature.publisher()
                            + "' and its manifest names '"
                            + manifest.publisher()
                            + "'.");
        }
        return new Artifact(manifest, signature, Digests.sha256Hex(file), file.length, entries);
    }

    /** Checks everything but the signature. */
    static Manifest content(SortedMap<String, byte[]> entries) {
        byte[] toml = entries.get(Paths.MANIFEST);
        if (toml == null) {
            throw new RefusedException("manifest_missing", "The artifact has no skill.toml.");
        }
        List<String> modules = modules(entries);
        if (modules.isEmpty()) {
            throw new RefusedException(
                    "module_missing", "The artifact has no module below modules/.");
        }
        Manifest manifest = ManifestReader.read(toml, modules);
        Map<String, String> expected = integrity(entries);
        if (!expected.equals(manifest.integrity())) {
            throw new RefusedException("integrity_mismatch", difference(expected, manifest));
        }
        SupplyChainFiles.verify(entries);
        return manifest;
    }

    static List<String> modules(SortedMap<String, byte[]> entries) {
        return entries.keySet().stream().filter(Paths::isModule).toList();
    }

    /** Returns what an integrity list of these entries says. */
    static Map<String, String> integrity(SortedMap<String, byte[]> entries) {
        Map<String, String> digests = new TreeMap<>();
        entries.forEach(
                (path, content) -> {
                    if (!path.equals(Paths.MANIFEST) && !path.equals(Paths.SIGNATURE)) {
                        digests.put(path, Digests.sha256Hex(content));
                    }
                });
        return digests;
    }

    private static String difference(Map<String, String> expected, Manifest manifest) {
        List<String> faults = new ArrayList<>();
        expected.forEach(
                (path, digest) -> {
                    String listed = manifest.integrity().get(path);
                    if (listed == null) {
                        faults.add(path + " is not listed");
                    } else if (!listed.equals(digest)) {
                        faults.add(path + " has another digest");
                    }
                });
        new TreeMap<>(manifest.integrity())
                .keySet().stream()
                        .filter(path -> !expected.containsKey(path))
                        .forEach(path -> faults.add(path + " is listed and not there"));
        return "integrity.files does not fit the entries: "
                + String.join(", ", faults.subList(0, Math.min(5, faults.size())))
                + ".";
    }

    /** Returns it as what runs it takes it. */
    public LoadedSkill loaded(boolean trusted, String engine) {
        Map<String, byte[]> modules = new TreeMap<>();
        modules(entries).forEach(path -> modules.put(path, entries.get(path)));
        return new LoadedSkill(
                manifest.id(),
                manifest.publisher(),
                sha256,
                signature.payloadSha256(),
                manifest.tools(),
                manifest.grants(),
                manifest.quotas(),
                trusted,
                engine,
                modules);
    }

    @Override
    public String toString() {
        return "Artifact[" + manifest.id() + ", " + sha256 + "]"; // contents are large
    }
}
