/**
 * Administration commands as services: integrators implement {@link palyra.api.command.Command}.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.2.0")
package palyra.api.command;
