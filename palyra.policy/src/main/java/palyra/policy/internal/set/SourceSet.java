package palyra.policy.internal.set;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.lib.cedar.CedarFile;
import palyra.shared.hash.Digests;

/**
 * The files of a policy set as they were read, under their names; those that are shipped with the
 * product begin with {@code default/}. Immutable; the arrays are read-only by agreement.
 */
final class SourceSet {
    static final String SHIPPED_PREFIX = "default/";

    private final SortedMap<String, byte[]> files;
    private final SortedSet<String> switchedOff;
    private final String sha256;

    /**
     * @param switchedOff ids of shipped policies that the set leaves out
     */
    SourceSet(Map<String, byte[]> files, SortedSet<String> switchedOff) {
        this.files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        this.switchedOff = Collections.unmodifiableSortedSet(new TreeSet<>(switchedOff));
        this.sha256 = Digests.sha256Hex(listing());
    }

    /**
     * Returns the text whose SHA-256 names the set: what {@code sha256sum} prints for its files,
     * sorted by name, then a line for each policy that is switched off.
     */
    private String listing() {
        StringBuilder text = new StringBuilder();
        files.forEach(
                (name, bytes) ->
                        text.append(Digests.sha256Hex(bytes))
                                .append("  ")
                                .append(name)
                                .append('\n'));
        switchedOff.forEach(id -> text.append("off  ").append(id).append('\n'));
        return text.toString();
    }

    /** Returns the digest that names the set, lower-case hex. */
    String sha256() {
        return sha256;
    }

    /** Returns the bytes of each file by name, sorted. */
    SortedMap<String, byte[]> files() {
        return files;
    }

    SortedSet<String> switchedOff() {
        return switchedOff;
    }

    /** Returns the files with policies, in the order of their names. */
    List<CedarFile> policies() {
        return of(FileKind.POLICIES);
    }

    /** Returns those of them that are shipped. */
    List<CedarFile> shippedPolicies() {
        return policies().stream().filter(file -> shipped(file.name())).toList();
    }

    Optional<CedarFile> schema() {
        return of(FileKind.SCHEMA).stream().findFirst();
    }

    List<CedarFile> cases() {
        return of(FileKind.CASES);
    }

    /** Whether an operator changed anything, so that shipped cases need no longer hold. */
    boolean changedByOperator() {
        boolean own =
                files.keySet().stream()
                        .anyMatch(
                                name ->
                                        !shipped(name)
                                                && FileKind.of(name)
                                                        .filter(kind -> kind != FileKind.CASES)
                                                        .isPresent());
        return own || !switchedOff.isEmpty();
    }

    static boolean shipped(String name) {
        return name.startsWith(SHIPPED_PREFIX);
    }

    private List<CedarFile> of(FileKind kind) {
        List<CedarFile> found = new ArrayList<>();
        files.forEach(
                (name, bytes) -> {
                    String plain = shipped(name) ? name.substring(SHIPPED_PREFIX.length()) : name;
                    if (FileKind.of(plain).filter(k -> k == kind).isPresent()) {
                        found.add(CedarFile.of(name, bytes));
                    }
                });
        return found;
    }
}
