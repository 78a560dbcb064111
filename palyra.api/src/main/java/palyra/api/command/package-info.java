/**
 * Administration commands as services: integrators implement {@link palyra.api.command.Command}.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("2.0.0")
package palyra.api.command;
