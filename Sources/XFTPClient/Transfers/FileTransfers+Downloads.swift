import ByteCoding
import SMPProtocol
import SystemIO
import XFTPProtocol

/// Receiving: download the chunks, decrypt the file, follow a redirect, acknowledge.
extension FileTransfers {
    /// The number of attempts to acknowledge a chunk. Afterwards the relay's own deadline deletes it.
    private static let mostAcknowledgements = 3

    /// Tells the application how a download ended before this start: it may not have stored that.
    func reportEnd(of record: DownloadRecord) {
        if record.stage == .complete, let path = record.path {
            handler(.received(record.id, path: path, name: path.split(separator: "/").last.map(String.init) ?? ""))
        }
        if record.stage == .failed { handler(.ended(record.id, code: record.failure ?? "")) }
    }

    /// Starts the work of the current stage.
    func continueDownload(_ id: FileID) {
        guard let record = downloads[id] else { return }
        switch record.stage {
        case .downloading where record.download.hasAllChunks: decrypt(record)
        case .downloading:
            do throws(FileFailure) {
                try prepareStaged(record)
            } catch {
                return fail(receiving: id, error)
            }
            for index in record.download.states.indices where record.download.missingReplica(of: index) != nil {
                enqueue(ChunkTask(file: id, kind: .download, index: index))
            }
        case .complete:
            for index in record.download.states.indices where record.download.storedReplica(of: index) != nil {
                enqueue(ChunkTask(file: id, kind: .acknowledge, index: index))
            }
        case .failed: break
        }
    }

    /// Creates the file of the chunks, if the disk has room for those that are missing.
    private func prepareStaged(_ record: DownloadRecord) throws(FileFailure) {
        let size = record.download.description.size
        // The file has holes for chunks that are missing.
        try checkRoom(for: size - record.download.storedSize)
        do throws(SystemError) {
            try FileDescriptor(creating: downloadPath(record.id)).resize(to: Int(size))
        } catch {
            throw .staging(error)
        }
    }

    // MARK: - Chunks

    func performDownload(_ task: ChunkTask) {
        guard let record = downloads[task.file], record.stage == .downloading,
            let replica = record.download.missingReplica(of: task.index)
        else { return finish(task) }
        let chunk = record.download.description.chunks[task.index]
        let file: ChunkFile
        do throws(SystemError) {
            file = ChunkFile(
                try FileDescriptor(creating: downloadPath(task.file)), start: record.download.starts[task.index],
                size: chunk.size)
        } catch {
            return fail(receiving: task.file, .staging(error))
        }
        send(task, to: replica.server) {
            $0.download(into: file, digest: chunk.digest, id: replica.id, key: replica.key, finish: $1)
        } then: { [weak self] answer, _ in
            switch answer {
            case .success: self?.keep(task)
            case .failure(let error): self?.failDownload(task, replica.server, error)
            }
        }
    }

    private func keep(_ task: ChunkTask) {
        guard var record = downloads[task.file] else { return }
        record.download.store(task.index)
        hasRoom(task.file)
        let state = record.download.states[task.index]
        guard storing({ try store.save(state, index: task.index, of: task.file) }) else { return }
        downloads[task.file] = record
        handler(
            .receiving(
                task.file, received: record.download.storedSize, total: record.download.description.size))
        finish(task)
        if record.download.hasAllChunks { decrypt(record) }
    }

    private func failDownload(_ task: ChunkTask, _ server: ServerAddress, _ error: FileSessionError) {
        guard var record = downloads[task.file] else { return }
        if case .file(let system) = error { return fail(receiving: task.file, .staging(system)) }
        guard !hasExpired(record.createdAt) else { return fail(receiving: task.file, .expired) }
        let hadWrongBytes = if case .wrongChunk = error { true } else { false }
        let reaction = record.download.fail(
            task.index, isTemporary: error.isTemporary, hadWrongBytes: hadWrongBytes)
        downloads[task.file] = record
        let failure = FileFailure.relay(server, error)
        switch reaction {
        case .giveUp: fail(receiving: task.file, failure)
        case .otherReplica: perform(task)
        case .retry:
            handler(.warning(task.file, failure))
            retry(task)
        }
    }

    // MARK: - Decryption

    private enum Decrypted: Sendable {
        case file(path: String, name: String)
        case redirected(FileDescription)
    }

    private func decrypt(_ record: DownloadRecord) {
        let id = record.id, staged = downloadPath(id), description = record.download.description
        let isRepeated = record.path != nil
        if description.redirect == nil {
            // The store on the same disk needs room too, also while the file is written.
            do throws(FileFailure) {
                try checkRoom(for: description.size, beside: record.target.path)
            } catch {
                return fail(receiving: id, error)
            }
        }
        if !isRepeated, description.redirect == nil {
            // An interruption after the file got its name must not lead to a second file.
            var begun = record
            begun.path = record.target.path
            guard storing({ try store.save(begun) }) else { return }
            downloads[id] = begun
        }
        closeSessions(of: id)
        offload(id) { flag -> Result<Decrypted, FileFailure> in
            do throws(FileFailure) {
                if let redirect = description.redirect {
                    return .success(
                        .redirected(try FileStaging.decryptRedirect(staged, of: description, redirect)))
                }
                let (path, header) = try FileStaging.decrypt(
                    staged, of: description, to: record.target, contentSize: record.contentSize,
                    contentDigest: record.contentDigest, isRepeated: isRepeated, isCancelled: { flag.isSet })
                return .success(.file(path: path, name: header.name))
            } catch {
                return .failure(error)
            }
        } then: { [weak self] result in
            switch result {
            case .success(.file(let path, let name)): self?.complete(id, path: path, name: name)
            case .success(.redirected(let real)): self?.follow(id, real)
            case .failure(let error): self?.failDecryption(id, error)
            }
        }
    }

    private func complete(_ id: FileID, path: String, name: String) {
        guard var record = downloads[id] else { return }
        record.stage = .complete
        record.path = path
        if sharesLinks && redirects[id] != nil || leavesChunks(id) {
            for index in record.download.states.indices { record.download.acknowledge(index) }
        }
        hasRoom(id)
        guard storing({ try store.save(record) }) else { return }
        downloads[id] = record
        removeStaged(downloadPath(id))
        endRedirect(of: id)
        handler(.received(id, path: path, name: name))
        continueDownload(id)
    }

    /// Continues with the real file. The chunk of its description is acknowledged when that is complete.
    private func follow(_ id: FileID, _ real: FileDescription) {
        guard var record = downloads[id] else { return }
        redirects[id] = record.download.states.indices.compactMap { record.download.storedReplica(of: $0) }
        record.download = FileDownload(real)
        guard storing({ try store.save(record) }) else { return }
        downloads[id] = record
        removeStaged(downloadPath(id))
        continueDownload(id)
    }

    private func failDecryption(_ id: FileID, _ failure: FileFailure) {
        guard var record = downloads[id] else { return }
        // After a power failure the encrypted file may lack bytes that the storage counts as there, and in a store that was moved
        // it is missing.
        let isIncomplete =
            switch failure {
            case .wrongFile(let error): error != .content && error != .contentSize
            case .staging(let error): error.condition == .missing
            default: false
            }
        guard isIncomplete, repeated.insert(id).inserted else { return fail(receiving: id, failure) }
        record.download.restart()
        guard storing({ try store.save(record) }) else { return }
        downloads[id] = record
        removeStaged(downloadPath(id))
        handler(.warning(id, failure))
        continueDownload(id)
    }

    private func fail(receiving id: FileID, _ failure: FileFailure) {
        guard var record = downloads[id] else { return }
        if failure.isFullDisk { return stall(id, failure) }
        abandon(id)
        record.stage = .failed
        record.failure = failure.code
        record.path = nil
        guard storing({ try store.save(record) }) else { return }
        downloads[id] = record
        removeStaged(downloadPath(id))
        handler(.failed(id, failure))
    }

    // MARK: - Acknowledgement

    func performAcknowledgement(_ task: ChunkTask) {
        guard let record = downloads[task.file], let replica = record.download.storedReplica(of: task.index) else {
            return finish(task)
        }
        let request = FileRequest(.fack, entityID: replica.id, key: replica.key)
        send(task, to: replica.server) {
            $0.send(request, finish: $1)
        } then: { [weak self] answer, _ in
            guard let self else { return }
            if case .failure(let error) = answer, error.isTemporary,
                failures(of: task) < FileTransfers.mostAcknowledgements
            {
                retry(task)
                return
            }
            noteAcknowledged(task)
        }
    }

    private func noteAcknowledged(_ task: ChunkTask) {
        guard var record = downloads[task.file] else { return }
        record.download.acknowledge(task.index)
        let state = record.download.states[task.index]
        guard storing({ try store.save(state, index: task.index, of: task.file) }) else { return }
        downloads[task.file] = record
        finish(task)
        closeIfSettled(task.file)
    }
}
