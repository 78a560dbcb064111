/**
 * Panels of the web console as services: integrators implement {@link
 * palyra.api.console.ConsolePanel}.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.0.0")
package palyra.api.console;
