package palyra.policy.internal.set;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.PolicySetLimits;

/** Checks the sizes of the files of a set. Stateless. */
final class SizeCheck {
    private static final int MOST_NAMED = 20;
    private static final String LESS =
            "Take files away, or join policies that differ only in whom they name.";

    private SizeCheck() {}

    /** Returns the problems; reads no file. */
    static List<PolicyProblem> problems(
            List<FolderListing> looks, List<SourceReader.Found> files, PolicySetLimits limits) {
        List<PolicyProblem> problems = new ArrayList<>();
        for (FolderListing look : looks) {
            if (look.crowded()) {
                problems.add(
                        PolicyProblems.error(
                                "",
                                "The policy folder "
                                        + look.folder()
                                        + " has more than "
                                        + FolderListing.MAX_ENTRIES
                                        + " entries; a policy set has at most "
                                        + limits.files()
                                        + " files.",
                                LESS));
            }
        }
        long total = files.stream().mapToLong(file -> Math.max(0, file.bytes())).sum();
        if (files.size() > limits.files() || total > limits.totalBytes()) {
            problems.add(
                    PolicyProblems.error(
                            "",
                            "The set has "
                                    + files.size()
                                    + " files with "
                                    + total
                                    + " bytes; at most "
                                    + limits.files()
                                    + " files with "
                                    + limits.totalBytes()
                                    + " bytes are taken.",
                            LESS));
        }
        files.stream()
                .filter(file -> file.bytes() > limit(file.kind(), limits))
                .limit(MOST_NAMED)
                .map(
                        file ->
                                tooLarge(
                                        file,
                                        Long.toString(file.bytes()),
                                        limit(file.kind(), limits)))
                .forEach(problems::add);
        return problems;
    }

    /** Returns how many bytes a file may have. */
    static int limit(FileKind kind, PolicySetLimits limits) {
        return kind == FileKind.SCHEMA ? limits.schemaBytes() : limits.fileBytes();
    }

    static PolicyProblem tooLarge(SourceReader.Found file, String bytes, int limit) {
        return PolicyProblems.error(
                file.fullName(),
                "The file has " + bytes + " bytes; at most " + limit + " are taken.",
                file.kind() == FileKind.SCHEMA ? "Shorten it." : "Split it.");
    }
}
