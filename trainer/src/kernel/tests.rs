use super::*;

/// Every tier of this machine.
fn tiers() -> impl Iterator<Item = Tier> {
    Tier::NAMES.into_iter().filter_map(Tier::named)
}

struct Roots<'a>(&'a Lanes, &'a Lanes);

impl Kernel for Roots<'_> {
    type Output = [Lanes; 5];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [Lanes; 5] {
        let (x, e) = (simd.load(self.0), simd.load(self.1));
        let mut out = [Lanes::default(); 5];
        simd.store(&mut out[0], simd.root_of_ratio(x, e));
        simd.store(&mut out[1], simd.exp(x));
        simd.store(&mut out[2], simd.sqrt(e));
        simd.store(&mut out[3], simd.exp_m1(x));
        simd.store(&mut out[4], simd.tanh(x));
        out
    }
}

struct Call<K>(K);

impl<K: Kernel> Generic for Call<K> {
    type Output = K::Output;
    fn call<S: Simd>(self, simd: S) -> K::Output {
        simd.run(self.0)
    }
}

#[test]
fn roots_and_exponentials_are_near_the_true_ones() {
    let x = Lanes(std::array::from_fn(|i| 10.0_f32.powi(i as i32 % 9 - 7) * (1.0 + i as f32 / 7.0)));
    let e = Lanes(std::array::from_fn(|i| 1e-6 + i as f32 * 0.37));
    for tier in tiers() {
        let [roots, exponentials, squares, less_one, tangents] = tier.dispatch(Call(Roots(&x, &e)));
        for i in 0..LANES {
            let wanted = (f64::from(x.0[i]) / f64::from(e.0[i])).sqrt();
            assert!((f64::from(roots.0[i]) / wanted - 1.0).abs() < 1e-4, "{tier}: {} for {wanted}", roots.0[i]);
            let wanted = f64::from(x.0[i]).exp();
            assert!((f64::from(exponentials.0[i]) / wanted - 1.0).abs() < 3e-7, "{tier}: exp({})", x.0[i]);
            assert_eq!(squares.0[i], e.0[i].sqrt());
            for (found, wanted) in
                [(less_one.0[i], f64::from(x.0[i]).exp_m1()), (tangents.0[i], f64::from(x.0[i]).tanh())]
            {
                assert!((f64::from(found) / wanted - 1.0).abs() < 6e-7, "{tier}: {found} for {wanted} at {}", x.0[i]);
            }
        }
    }
}

#[test]
fn exponentials_end_in_small_and_large_numbers() {
    let x = Lanes(std::array::from_fn(|i| [-1e30, -100.0, -87.0, -1.0, 0.0, 1.0, 88.0, 1e30][i % 8]));
    for tier in tiers() {
        let [_, found, ..] = tier.dispatch(Call(Roots(&x, &x)));
        assert!(found.0[0] < 1e-37 && found.0[1] < 1e-37, "{tier}");
        assert!((found.0[3] - 0.367_879_44).abs() < 1e-7 && found.0[4] == 1.0, "{tier}");
        assert!(found.0[7] > 1e38, "{tier}: {}", found.0[7]);
    }
}

struct Choices<'a>(&'a Lanes);

impl Kernel for Choices<'_> {
    type Output = (u32, u32, u32, f32, [Lanes; 2], Vec<(u32, f32)>);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let x = simd.load(self.0);
        let zero = simd.splat(0.0);
        let (nonzero, greater) = (simd.nonzero(x), simd.greater(x, zero));
        let mut chosen = Lanes::default();
        simd.store(&mut chosen, simd.select(greater, x, simd.with_sign(simd.splat(5.0), x)));
        let (mut numbers, mut values) = (vec![0; 40], vec![0.0; 40]);
        let found = simd.append(nonzero, &numbers_from(100), x, 3, &mut numbers, &mut values);
        let pairs = numbers.into_iter().zip(values).skip(3).take(found).collect();
        let draws = std::array::from_fn(|i| (i as u16) << 12);
        let drawn = simd.bits(simd.not_below(&draws, 0xE000));
        let mut signed = Lanes::default();
        simd.store(&mut signed, simd.signed(simd.splat(5.0), x));
        (simd.bits(nonzero), simd.bits(greater), drawn, simd.sum(x), [chosen, signed], pairs)
    }
}

#[test]
fn choices_are_the_same_on_every_tier() {
    let mut x = Lanes::default();
    x.0[1] = 2.0;
    x.0[4] = -3.0;
    x.0[15] = 0.5;
    for tier in tiers() {
        let (nonzero, greater, drawn, sum, [chosen, signed], pairs) = tier.dispatch(Call(Choices(&x)));
        assert_eq!((nonzero, greater), (1 << 1 | 1 << 4 | 1 << 15, 1 << 1 | 1 << 15), "{tier}");
        assert_eq!(drawn, 0b1100_0000_0000_0000, "{tier}");
        assert_eq!((signed.0[0], signed.0[1], signed.0[4]), (0.0, 5.0, -5.0));
        assert_eq!(sum, -0.5);
        assert_eq!((chosen.0[0], chosen.0[1], chosen.0[4]), (5.0, 2.0, -5.0));
        assert_eq!(pairs, [(101, 2.0), (104, -3.0), (115, 0.5)]);
    }
}

#[test]
fn a_tier_has_the_name_it_was_asked_by() {
    for name in Tier::NAMES {
        assert!(Tier::named(name).is_none_or(|tier| tier.name() == name));
    }
    assert_eq!(Tier::named("sse"), None);
    assert_eq!(Tier::named("portable").map(Tier::name), Some("portable"));
}
