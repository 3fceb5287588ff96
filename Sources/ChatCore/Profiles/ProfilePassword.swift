import AgentProtocol
import ByteCoding
import CryptoCore
import Store

/// What is kept of the password of a hidden profile: enough to know it again, too little to guess it fast.
///
/// The store is encrypted anyway; this is for who has its key and must not find the profile all the same. A profile that came
/// from an official app has the hash of that app, which is longer: SHA-512 of the password and the salt.
struct ProfilePassword {
    private let salt: Bytes
    private let hash: Bytes

    private static let size = 32

    /// One that no password fits: nothing has a hash of zeroes only.
    static let ofNobody = ProfilePassword(
        salt: Bytes(repeating: 0, count: Argon2id.saltSize), hash: Bytes(repeating: 0, count: size))

    init(_ password: String, random: any RandomSource) throws(CryptoError) {
        salt = random.bytes(Argon2id.saltSize)
        hash = try ProfilePassword.hash(password, salt)
    }

    private init(salt: Bytes, hash: Bytes) {
        (self.salt, self.hash) = (salt, hash)
    }

    /// What was stored; nil if it cannot have been.
    init?(stored salt: Bytes, _ hash: Bytes) {
        guard salt.count == Argon2id.saltSize, hash.count == ProfilePassword.size || hash.count == SHA512.size else {
            return nil
        }
        self.init(salt: salt, hash: hash)
    }

    func accepts(_ password: String) throws(CryptoError) -> Bool {
        if hash.count == SHA512.size { return constantTimeEqual(SHA512.hash(Array(password.utf8) + salt), hash) }
        return constantTimeEqual(try ProfilePassword.hash(password, salt), hash)
    }

    private static func hash(_ password: String, _ salt: Bytes) throws(CryptoError) -> Bytes {
        try Argon2id.derive(size, from: Secret(copying: Array(password.utf8)), salt: salt, cost: .recommended)
            .copyBytes()
    }
}

extension ChatStore {
    /// Hides a profile, or with nil shows it again.
    func setPassword(_ password: ProfilePassword?, of id: ProfileID) throws {
        try database.run(
            "UPDATE profiles SET hidden_salt = ?, hidden_hash = ? WHERE profile_id = ?", password?.stored.salt,
            password?.stored.hash, id.number)
    }

    func password(of id: ProfileID) throws -> ProfilePassword? {
        try database.first(
            "SELECT hidden_salt, hidden_hash FROM profiles WHERE profile_id = ? AND hidden_hash IS NOT NULL", id.number
        ) { row throws(StoreError) in
            guard let password = ProfilePassword(stored: try row.bytes(), try row.bytes()) else {
                throw StoreError(.damaged)
            }
            return password
        }
    }
}

extension ProfilePassword {
    fileprivate var stored: (salt: Bytes, hash: Bytes) { (salt, hash) }
}
