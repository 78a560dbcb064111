/**
 * Starts the framework from {@code bundles/<level>/} and talks to a running gateway.
 *
 * <p>A plain jar that knows the JDK and the framework and shares no class with any bundle: what it
 * wants to know of a service it reads from service properties or by reflection. {@link
 * palyra.launcher.Main} is the gateway's process, {@link palyra.launcher.Client} the command that
 * speaks to it from outside.
 */
package palyra.launcher;
