package palyra.sandbox.internal.workspace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import palyra.shared.hash.Digests;

/**
 * Every file and folder of a workspace with what tells one state of it from another; see {@link
 * WorkspaceReader}. The digest is SHA-256 over {@code palyra.workspace.v1} ‖ for each path in the
 * order of its characters lp(path) ‖ lp(fingerprint).
 *
 * @param fingerprints by path relative to the workspace
 * @param sha256 digest, lower-case hex
 */
record WorkspaceManifest(SortedMap<String, String> fingerprints, String sha256) {
    private static final String TAG = "palyra.workspace.v1";
    private static final int MOST_CHANGES = 20;

    static WorkspaceManifest of(SortedMap<String, String> fingerprints) {
        Digests digest = Digests.tagged(TAG);
        fingerprints.forEach((path, fingerprint) -> digest.lp(path).lp(fingerprint));
        return new WorkspaceManifest(
                Collections.unmodifiableSortedMap(new TreeMap<>(fingerprints)),
                Digests.hex(digest.bytes()));
    }

    /** Returns the changes since an earlier state: at most 20 paths, and how many more. */
    List<String> since(WorkspaceManifest earlier) {
        List<String> changes = new ArrayList<>();
        for (Map.Entry<String, String> entry : fingerprints.entrySet()) {
            String before = earlier.fingerprints.get(entry.getKey());
            if (before == null) {
                changes.add("added: " + entry.getKey());
            } else if (!before.equals(entry.getValue())) {
                changes.add("changed: " + entry.getKey());
            }
        }
        for (String path : earlier.fingerprints.keySet()) {
            if (!fingerprints.containsKey(path)) {
                changes.add("removed: " + path);
            }
        }
        if (changes.size() <= MOST_CHANGES) {
            return changes;
        }
        List<String> shown = new ArrayList<>(changes.subList(0, MOST_CHANGES));
        shown.add("and " + (changes.size() - MOST_CHANGES) + " more");
        return shown;
    }
}
