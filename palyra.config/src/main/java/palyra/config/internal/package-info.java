/**
 * The one watcher of the configuration folders. Files go in, checked configurations come out:
 * {@link palyra.config.internal.ConfFolder} looks at a folder, {@link
 * palyra.config.internal.Checker} holds a file against its metatype, {@link
 * palyra.config.internal.Arbiter} decides, and {@link palyra.config.internal.ConfigurationWatch}
 * carries it out.
 */
package palyra.config.internal;
