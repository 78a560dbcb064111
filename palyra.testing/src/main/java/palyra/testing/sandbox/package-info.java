/**
 * Tries to get out of sandboxes: for who writes a {@code SandboxBackend}.
 *
 * <p>A suite has two classes. The first has a main method that {@link
 * palyra.testing.sandbox.ChildJvm} runs as an unprivileged user: it makes the backend on {@link
 * palyra.testing.sandbox.Launchers#real}, a {@link palyra.testing.sandbox.SandboxTestBed} below the
 * folder that is its first argument, and a workspace; it tries the lists of {@link
 * palyra.testing.sandbox.Abuses} with {@link palyra.testing.sandbox.Attempts}, then what must work
 * with {@link palyra.testing.sandbox.ProcessLifeRules} and what must hold under stress with {@link
 * palyra.testing.sandbox.ForkStormRules} and {@link palyra.testing.sandbox.PathSwapRules}, and what
 * only cgroups bound with {@link palyra.testing.sandbox.LimitRules}. Each prints one line for each
 * result. The second class is a JUnit test with a {@code TestFactory} that turns the lines into
 * tests with {@link palyra.testing.sandbox.Results}, and checks that there are as many as it
 * expects.
 *
 * <p>What a main method needs around that is {@link palyra.testing.sandbox.Suite}. What a backend
 * plans and refuses is tested with {@link palyra.testing.sandbox.LaunchOrders} on a {@link
 * palyra.testing.sandbox.FakeLauncher}, without starting anything.
 *
 * <p>The real launcher is the jar of {@code palyra.sandbox.posix}, with JNA on the class path: the
 * environment variable {@code PALYRA_TEST_LAUNCHER} names it; inside this repository it is taken
 * from the neighbour's target folder.
 *
 * <p>Every attempt has a positive control: the same command works without a sandbox, so that a
 * broken stand cannot pass. Bombs go off within limits only. Linux only; needs gcc, socat, curl,
 * perl, procps and util-linux, and as root makes the user {@code palyra-test}.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.1.0")
package palyra.testing.sandbox;
