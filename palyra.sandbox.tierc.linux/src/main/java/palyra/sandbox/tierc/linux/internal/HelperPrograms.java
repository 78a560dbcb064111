package palyra.sandbox.tierc.linux.internal;

import java.util.Optional;
import palyra.shared.seccomp.Architecture;
import palyra.shared.seccomp.Filters;
import palyra.shared.seccomp.Profile;
import palyra.shared.seccomp.SeccompFilter;

/**
 * Helper programs and filters of this host's sandboxes.
 *
 * @param bwrap bubblewrap
 * @param version its version
 * @param socat the bridge to a proxy; absent when it is not installed
 * @param nsenter the program by which a command enters a sandbox that it shares; absent when it is
 *     not installed
 * @param architecture processor of the filters; absent when the kernel has no seccomp filters
 * @param filters cache of filters
 */
record HelperPrograms(
        HelperProgram bwrap,
        String version,
        Optional<HelperProgram> socat,
        Optional<HelperProgram> nsenter,
        Optional<Architecture> architecture,
        Filters filters) {
    /** Returns the filter of a profile; empty when the kernel has none. */
    Optional<SeccompFilter> filter(Profile profile) {
        return architecture.map(one -> filters.of(profile, one));
    }
}
