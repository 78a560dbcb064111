/** Starting, following and stopping runs: what a surface or a connector calls. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("4.2.0")
package palyra.api.run;
