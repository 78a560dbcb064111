/** Control groups of both versions: limits, counts and complete kills; see cgroups(7). */
package palyra.sandbox.posix.internal.cgroup;
