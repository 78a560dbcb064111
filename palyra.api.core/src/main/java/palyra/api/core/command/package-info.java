/** Running administration commands for a caller that another bundle authenticated. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.0.0")
package palyra.api.core.command;
