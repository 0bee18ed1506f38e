//! Declarations: structures, unions, globals, and pointers to them.

use super::arrays::{Array, Elements};
use super::expression::Place;
use super::lines::Item;
use super::program::{Generator, Record};
use super::types::{INT, Scalar};

impl Generator<'_> {
    /// A structure, often of bit-fields.
    pub(crate) fn structure(&mut self) -> Item {
        let tag = self.fresh("struct S");
        let mut members = Vec::new();
        let mut body = Vec::new();
        for k in 0..1 + self.below(5) {
            let name = format!("m{k}");
            match self.below(6) {
                0..3 => {
                    let ty = Scalar::random_integer(self.expressions.rng);
                    let most = if ty == Scalar::Bool { 1 } else { ty.width() };
                    let bits = 1 + self.below(most);
                    body.push(Item::Line(format!("{} {name} : {bits};", ty.name())));
                    members.push(Place {
                        bits: Some(bits),
                        ..Place::scalar(name, ty)
                    });
                    if self.one_in(8) {
                        body.push(Item::Line(
                            ["int : 0;", "int : 3;", "long : 0;"][k as usize % 3].into(),
                        ));
                    }
                }
                3 => {
                    let ty = self.scalar();
                    body.push(Item::Line(format!("{} {name}[4];", ty.name())));
                    members.push(Place {
                        elements: 4,
                        ..Place::scalar(format!("{name}[@]"), ty)
                    });
                }
                4 if self
                    .records
                    .iter()
                    .any(|record| record.tag.starts_with("struct")) =>
                {
                    let inner = self
                        .records
                        .iter()
                        .find(|record| record.tag.starts_with("struct"))
                        .expect("there is one");
                    body.push(Item::Line(format!("{} {name};", inner.tag)));
                    let nested = inner.members.iter().map(|member| Place {
                        text: format!("{name}.{}", member.text),
                        ..member.clone()
                    });
                    members.extend(nested.collect::<Vec<_>>());
                }
                _ => {
                    let ty = self.scalar();
                    body.push(Item::Line(format!("{} {name};", ty.name())));
                    members.push(Place::scalar(name, ty));
                }
            }
        }
        let packed = if self.one_in(6) {
            " __attribute__((packed))"
        } else {
            ""
        };
        self.records.push(Record {
            tag: tag.clone(),
            members,
            initialiser: "{0}".into(),
        });
        Item::Block {
            head: format!("{tag} {{"),
            body,
            tail: format!("}}{packed};"),
        }
    }

    pub(crate) fn union(&mut self) -> Item {
        let tag = self.fresh("union U");
        let body = [
            "unsigned long long w;",
            "signed char c[8];",
            "unsigned short h[4];",
            "struct { unsigned lo : 12, mid : 15; int hi : 5; } s;",
            "int n;",
        ];
        let unsigned_short = Scalar::Integer {
            rank: 2,
            signed: false,
            plain: false,
        };
        let signed_char = Scalar::Integer {
            rank: 1,
            signed: true,
            plain: false,
        };
        let field = |text: &str, ty, bits| Place {
            bits: Some(bits),
            ..Place::scalar(text, ty)
        };
        let members = vec![
            Place::scalar("w", Scalar::LONG_LONG_UNSIGNED),
            Place {
                elements: 8,
                ..Place::scalar("c[@]", signed_char)
            },
            Place {
                elements: 4,
                ..Place::scalar("h[@]", unsigned_short)
            },
            field("s.lo", Scalar::INTEGER_UNSIGNED, 12),
            field("s.mid", Scalar::INTEGER_UNSIGNED, 15),
            field("s.hi", INT, 5),
            Place::scalar("n", INT),
        ];
        self.records.push(Record {
            tag: tag.clone(),
            members,
            initialiser: "{ 0x8123456789abcdefull }".into(),
        });
        let body = body.map(|line| Item::Line(line.into())).into();
        Item::Block {
            head: format!("{tag} {{"),
            body,
            tail: "};".into(),
        }
    }

    /// The statement that adds a place to the computed number.
    pub(crate) fn mixed(place: &Place, text: &str) -> String {
        if place.ty.is_float() {
            format!("mix(bits({text}));")
        } else if place.ty.width() > 64 {
            format!("mix({text}); mix({text} >> 64);")
        } else {
            format!("mix({text});")
        }
    }

    /// Adds a place, and the term for its final value.
    pub(crate) fn add_global(&mut self, place: Place) {
        for element in 0..place.elements {
            let text = place.text.replace('@', &element.to_string());
            self.checksum.push(Item::Line(Self::mixed(&place, &text)));
        }
        if place.bits.is_none() && !place.text.contains('.') {
            self.targets
                .push((format!("&{}", place.text.replace('@', "0")), place.ty));
        }
        self.expressions.places.push(place);
    }

    pub(crate) fn members_of(&self, record: usize, variable: &str) -> Vec<Place> {
        let members = self.records[record].members.iter();
        members
            .map(|member| Place {
                text: format!("{variable}{}", member.text),
                ..member.clone()
            })
            .collect()
    }

    pub(crate) fn global(&mut self) -> String {
        let name = self.fresh("g");
        let choice = self.below(7);
        if choice < 3 && !self.records.is_empty() {
            let record = self.expressions.rng.usize(..self.records.len());
            for place in self.members_of(record, &format!("{name}.")) {
                self.add_global(place);
            }
            self.record_variables.push((name.clone(), record));
            let Record {
                tag, initialiser, ..
            } = &self.records[record];
            return format!("static {tag} {name} = {initialiser};");
        }
        let ty = self.scalar();
        if choice == 3 {
            let values: Vec<String> = (0..3).map(|_| self.constant(ty)).collect();
            self.add_global(Place {
                elements: 4,
                ..Place::scalar(format!("{name}[@]"), ty)
            });
            self.arrays.push(Array {
                name: name.clone(),
                elements: Elements::Of(ty),
            });
            return format!(
                "static {} {name}[4] = {{{}}};",
                ty.name(),
                values.join(", ")
            );
        }
        if choice == 4 {
            self.add_global(Place {
                elements: 2,
                ..Place::scalar(format!("{name}[1][@]"), ty)
            });
            let value = self.constant(ty);
            return format!(
                "static {} {name}[2][2] = {{[1] = {{[1] = {value}}}}};",
                ty.name()
            );
        }
        let qualifier = if self.one_in(6) { "const " } else { "" };
        let value = self.constant(ty);
        self.add_global(Place {
            writable: qualifier.is_empty(),
            ..Place::scalar(name.clone(), ty)
        });
        if !qualifier.is_empty() {
            self.targets.pop();
        }
        format!("static {qualifier}{} {name} = {value};", ty.name())
    }

    /// A pointer to an object that lives as long as the program.
    pub(crate) fn pointer(&mut self) -> Option<String> {
        let name = self.fresh("p");
        if self.one_in(2) && !self.record_variables.is_empty() {
            let (variable, record) = self.record_variables
                [self.expressions.rng.usize(..self.record_variables.len())]
            .clone();
            let members = self.members_of(record, &format!("{name}->"));
            self.expressions.places.extend(members);
            let tag = &self.records[record].tag;
            return Some(format!("{tag} *{name} = &{variable};"));
        }
        if self.targets.is_empty() {
            return None;
        }
        let (target, ty) = self.targets[self.expressions.rng.usize(..self.targets.len())].clone();
        self.expressions
            .places
            .push(Place::scalar(format!("(*{name})"), ty));
        self.pointers.push((name.clone(), ty));
        Some(format!("{} *{name} = {target};", ty.name()))
    }
}
