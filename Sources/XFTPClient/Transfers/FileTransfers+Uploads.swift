import ByteCoding
import CryptoCore
import SMPProtocol
import SystemIO
import XFTPProtocol

/// Sending: encrypt, create and upload the chunks, describe the file; and deleting.
extension FileTransfers {
    /// The number of times that a chunk is created again because its relay has lost it.
    private static let mostCreations = 5
    /// The number of attempts to delete a chunk. Afterwards the relay's own deadline deletes it.
    private static let mostDeletions = 8

    /// Tells the application how an upload ended before this start: it may not have stored that.
    func reportEnd(of record: UploadRecord) {
        if record.stage == .complete, let (sender, recipients) = try? record.descriptions() {
            handler(.sent(record.id, sender: sender, recipients: recipients))
        }
        if record.stage == .failed { handler(.ended(record.id, code: record.failure ?? "")) }
    }

    /// Starts the work of the current stage.
    func continueUpload(_ id: FileID) {
        guard let record = uploads[id] else { return }
        switch record.stage {
        case .encrypting: encrypt(record)
        case .uploading:
            if let part = record.parts.indices.first(where: { !record.parts[$0].isComplete }) {
                guard Files.exists(uploadPath(id, part)) else { return restart(record) }
                for index in record.parts[part].chunks.indices where record.parts[part].chunks[index].step != .done {
                    enqueue(ChunkTask(file: id, kind: .upload(part: part), index: index))
                }
            } else {
                finishPart(id)
            }
        case .deleting:
            for part in record.parts.indices {
                for (index, chunk) in record.parts[part].chunks.enumerated() where chunk.registration != nil {
                    enqueue(ChunkTask(file: id, kind: .delete(part: part), index: index))
                }
            }
            finishDeletion(id)
        case .complete, .failed: break
        }
    }

    // MARK: - Encryption

    /// Begins again with an upload whose encrypted file is gone, as in a store that was moved to another machine. Relays delete
    /// by themselves what they have.
    private func restart(_ record: UploadRecord) {
        var record = record
        record.parts = []
        record.stage = .encrypting
        guard storing({ try store.save(record) }) else { return }
        uploads[record.id] = record
        continueUpload(record.id)
    }

    private func encrypt(_ record: UploadRecord) {
        let random = random, staged = uploadPath(record.id, 0)
        // What an interrupted encryption left takes room.
        removeStaged(staged)
        do throws(FileFailure) {
            let plan = ChunkPlan(
                header: EncryptedFileHeader(name: record.name), contentSize: try record.source.contentSize())
            guard let plan else { throw .sourceSize }
            try checkRoom(for: plan.encryptedSize)
        } catch {
            return fail(sending: record.id, error)
        }
        offload(record.id) { flag in
            do throws(FileFailure) {
                return .success(
                    try FileStaging.encrypt(
                        record.source, name: record.name, to: staged, random: random, isCancelled: { flag.isSet }))
            } catch {
                return .failure(error)
            }
        } then: { [weak self] result in
            self?.begin(record.id, result, recipients: record.usesRedirect ? 1 : record.recipients, redirect: nil)
        }
    }

    /// Stores the plan of a part and starts its upload.
    private func begin(
        _ id: FileID, _ result: Result<FileStaging.Encrypted, FileFailure>, recipients: Int,
        redirect: FileDescription.Redirect?
    ) {
        guard var record = uploads[id] else { return }
        switch result {
        case .failure(let error): fail(sending: id, error)
        case .success(let file):
            record.parts.append(
                FileUpload(
                    key: file.key, digest: file.digest, plan: file.plan, chunkDigests: file.chunkDigests,
                    recipients: recipients, redirect: redirect, random: random))
            record.stage = .uploading
            hasRoom(id)
            guard storing({ try store.save(record) }) else { return }
            uploads[id] = record
            if redirect != nil { handler(.describing(id, size: file.contentSize)) }
            reportSending(record)
            continueUpload(id)
        }
    }

    // MARK: - Chunks

    func performUpload(_ task: ChunkTask, _ part: Int) {
        guard let record = uploads[task.file], record.stage == .uploading else { return finish(task) }
        let chunk = record.parts[part].chunks[task.index]
        switch (chunk.step, chunk.registration) {
        case (.create(let keys), _): create(chunk, keys, record, task)
        case (.addRecipients(let keys), let registration?):
            let request = FileRequest(.fadd(keys), entityID: registration.senderID, key: chunk.senderKey)
            send(task, to: registration.server) {
                $0.send(request, finish: $1)
            } then: { [weak self] answer, lane in
                guard case .success(.rids(let ids)) = answer else {
                    self?.failUpload(task, part, registration.server, lane, answer)
                    return
                }
                self?.update(task, part) { $0.registration?.recipientIDs += ids }
            }
        case (.put, let registration?): put(chunk, registration, task, part)
        default:
            finish(task)
            if uploads[task.file]?.parts[part].isComplete == true { finishPart(task.file) }
        }
    }

    private func create(
        _ chunk: FileUpload.Chunk, _ keys: [AuthorizationKey], _ record: UploadRecord, _ task: ChunkTask
    ) {
        guard case .upload(let part) = task.kind else { return }
        guard let server = servers(record.profileID, excluded[task] ?? []) else {
            return fail(sending: task.file, .noRelay)
        }
        let new = NewChunk(
            senderKey: chunk.senderKey.publicKey, size: chunk.size, digest: chunk.digest, recipientKeys: keys,
            password: server.password)
        send(task, to: server.address) {
            $0.send(FileRequest(.fnew(new), key: chunk.senderKey), finish: $1)
        } then: { [weak self] answer, lane in
            guard case .success(.sids(let senderID, let ids)) = answer else {
                self?.failUpload(task, part, server.address, lane, answer)
                return
            }
            self?.update(task, part) {
                $0.registration = FileUpload.Registration(
                    server: server.address, senderID: senderID, recipientIDs: ids)
            }
        }
    }

    private func put(
        _ chunk: FileUpload.Chunk, _ registration: FileUpload.Registration, _ task: ChunkTask, _ part: Int
    ) {
        let file: ChunkFile
        do throws(SystemError) {
            file = ChunkFile(
                try FileDescriptor(reading: uploadPath(task.file, part)), start: chunk.start, size: chunk.size)
        } catch {
            return fail(sending: task.file, .staging(error))
        }
        let canStall = connections(for: task.file, to: registration.server) > 1
        send(task, to: registration.server) {
            $0.upload(file, id: registration.senderID, key: chunk.senderKey, canStall: canStall, finish: $1)
        } then: { [weak self] answer, lane in
            guard case .success(.ok) = answer else {
                self?.failUpload(task, part, registration.server, lane, answer)
                return
            }
            self?.update(task, part) { $0.isUploaded = true }
        }
    }

    /// Stores the progress of a chunk and continues with its next step.
    private func update(_ task: ChunkTask, _ part: Int, _ change: (inout FileUpload.Chunk) -> Void) {
        guard var record = uploads[task.file] else { return }
        change(&record.parts[part].chunks[task.index])
        let chunk = record.parts[part].chunks[task.index]
        guard storing({ try store.save(chunk, part: part, of: task.file) }) else { return }
        uploads[task.file] = record
        if chunk.isUploaded { reportSending(record) }
        perform(task)
    }

    private func failUpload(
        _ task: ChunkTask, _ part: Int, _ server: ServerAddress, _ lane: Int, _ answer: FileRelaySession.Answer
    ) {
        guard var record = uploads[task.file] else { return }
        let error = if case .failure(let error) = answer { error } else { FileSessionError.unexpectedAnswer }
        if repeatWithFewerConnections(task, to: server, lane: lane, after: error) { return }
        let failure = FileFailure.relay(server, error)
        if case .file(let system) = error { return fail(sending: task.file, .staging(system)) }
        guard !hasExpired(record.createdAt) else { return fail(sending: task.file, failure) }
        let isRegistered = record.parts[part].chunks[task.index].registration != nil
        let isLost = [.refused(.authorization), .refused(.noFile)].contains(error)
        let isFull = error == .refused(.quota)
        if isRegistered, isLost || isFull {
            // The relay has forgotten the chunk, or has no room for it: it is created again, elsewhere if possible.
            guard isFull || failures(of: task) < FileTransfers.mostCreations else {
                return fail(sending: task.file, failure)
            }
            record.parts[part].chunks[task.index].registration = nil
            let chunk = record.parts[part].chunks[task.index]
            guard storing({ try store.save(chunk, part: part, of: task.file) }) else { return }
            uploads[task.file] = record
        }
        if !isRegistered || isFull { excluded[task, default: []].insert(server) }
        if servers(record.profileID, excluded[task] ?? []) == nil {
            // All relays rejected the chunk: the same ones are tried again, if that can help.
            guard error.isTemporary || isLost && isRegistered else { return fail(sending: task.file, failure) }
            excluded[task] = nil
        } else if isRegistered, !error.isTemporary, !isLost {
            return fail(sending: task.file, failure)
        }
        handler(.warning(task.file, failure))
        retry(task)
    }

    // MARK: - The end

    /// Continues after all chunks of the parts are on relays.
    private func finishPart(_ id: FileID) {
        guard var record = uploads[id], record.stage == .uploading else { return }
        if record.usesRedirect, record.parts.count == 1 { return describe(record) }
        do throws(FileDescriptionError) {
            let (sender, recipients) = try record.descriptions()
            record.stage = .complete
            guard storing({ try store.save(record) }) else { return }
            uploads[id] = record
            for part in record.parts.indices { removeStaged(uploadPath(id, part)) }
            closeSessions(of: id)
            handler(.sent(id, sender: sender, recipients: recipients))
        } catch {
            fail(sending: id, .description(error))
        }
    }

    /// Encrypts the description of a complete file, to upload it too.
    private func describe(_ record: UploadRecord) {
        let id = record.id, random = random, staged = uploadPath(id, 1), text = uploadPath(id, 2)
        let content: Bytes, redirect: FileDescription.Redirect
        do throws(FileDescriptionError) {
            guard let description = try record.parts.first?.recipientDescriptions().first else { return }
            content = Bytes(description.text.utf8)
            redirect = FileDescription.Redirect(size: description.size, digest: description.digest)
        } catch {
            return fail(sending: id, .description(error))
        }
        offload(id) { flag in
            do throws(FileFailure) {
                do throws(SystemError) { try Files.replace(text, content, durably: false) } catch {
                    throw FileFailure.staging(error)
                }
                defer { try? Files.remove(text) }
                return .success(
                    try FileStaging.encrypt(
                        LocalFile(path: text), name: "", to: staged, usesOneChunk: true, random: random,
                        isCancelled: { flag.isSet }))
            } catch {
                return .failure(error)
            }
        } then: { [weak self] result in
            self?.begin(id, result, recipients: record.recipients, redirect: redirect)
        }
    }

    private func fail(sending id: FileID, _ failure: FileFailure) {
        guard var record = uploads[id] else { return }
        if failure.isFullDisk {
            // A part that is not encrypted completely begins again, and its room is for others until then.
            removeStaged(uploadPath(id, record.parts.count))
            return stall(id, failure)
        }
        abandon(id)
        record.stage = .failed
        record.failure = failure.code
        guard storing({ try store.save(record) }) else { return }
        uploads[id] = record
        for part in 0...record.parts.count { removeStaged(uploadPath(id, part)) }
        handler(.failed(id, failure))
    }

    private func reportSending(_ record: UploadRecord) {
        let sent = record.parts.reduce(0) { $0 + $1.uploadedSize }
        handler(.sending(record.id, sent: sent, total: record.parts.reduce(0) { $0 + $1.size }))
    }

    // MARK: - Deletion

    func performDeletion(_ task: ChunkTask, _ part: Int) {
        guard let record = uploads[task.file], record.stage == .deleting,
            let registration = record.parts[part].chunks[task.index].registration
        else { return finish(task) }
        let chunk = record.parts[part].chunks[task.index]
        let request = FileRequest(.fdel, entityID: registration.senderID, key: chunk.senderKey)
        send(task, to: registration.server) {
            $0.send(request, finish: $1)
        } then: { [weak self] answer, _ in
            guard let self else { return }
            if case .failure(let error) = answer, error.isTemporary, !hasExpired(record.createdAt),
                failures(of: task) < FileTransfers.mostDeletions
            {
                retry(task)
                return
            }
            forgetRegistration(task, part)
        }
    }

    private func forgetRegistration(_ task: ChunkTask, _ part: Int) {
        guard var record = uploads[task.file] else { return }
        record.parts[part].chunks[task.index].registration = nil
        let chunk = record.parts[part].chunks[task.index]
        guard storing({ try store.save(chunk, part: part, of: task.file) }) else { return }
        uploads[task.file] = record
        finish(task)
        finishDeletion(task.file)
    }

    private func finishDeletion(_ id: FileID) {
        guard let record = uploads[id],
            record.parts.allSatisfy({ part in part.chunks.allSatisfy { $0.registration == nil } }),
            storing({ try store.removeUpload(id) })
        else { return }
        abandon(id)
        uploads[id] = nil
        handler(.deleted(id))
    }
}
