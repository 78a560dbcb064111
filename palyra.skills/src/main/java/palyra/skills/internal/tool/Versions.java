package palyra.skills.internal.tool;

import palyra.skills.internal.model.SkillId;

/** Order of versions of one skill: {@code x.y.z} by numbers. */
final class Versions {
    private Versions() {}

    /** Returns whether {@code one} is later than {@code other}; not when either is no version. */
    static boolean later(SkillId one, SkillId other) {
        String[] left = numbers(one.version());
        String[] right = numbers(other.version());
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            if (!(left[i] + right[i]).matches("[0-9]{2,18}")) {
                return false;
            }
            int order = Long.compare(Long.parseLong(left[i]), Long.parseLong(right[i]));
            if (order != 0) {
                return order > 0;
            }
        }
        return false;
    }

    private static String[] numbers(String version) {
        return version.split("[-+]", 2)[0].split("\\.", -1);
    }
}
